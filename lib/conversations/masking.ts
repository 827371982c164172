import type { Viewer } from '#lib/access/permissions.ts'

/** Text of a message as far as a viewer may read it: the text, or only how long it is (in characters), or nothing any more. */
export type ShownText = { text: string } | { masked: number } | { purged: true }

/** Whether a Brand shows messages to a viewer only as masked: in none of their roles they may read them. */
export function isMaskedFor(viewer: Viewer, brandId: string, maskedFor: readonly string[]): boolean {
  const roles = [viewer.providerRole, viewer.brandRoles.get(brandId)].filter((role) => role != null)
  return roles.every((role) => maskedFor.includes(role))
}

/** What is shown of a text. @param text null where it was not read, since the viewer may not see it */
export function showText(stored: { text: string | null; length: number; purged: boolean }): ShownText {
  if (stored.purged) return { purged: true }
  return stored.text === null ? { masked: stored.length } : { text: stored.text }
}
