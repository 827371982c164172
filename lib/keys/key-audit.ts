import type { Actor, AuditEntry } from '#lib/access/audit.ts'
import type { KeyChange, SigningKeyState } from './lifecycle.ts'

const verbs = {
  next: 'publish',
  active: 'activate',
  retired: 'retire',
  removed: 'remove',
  compromised: 'compromise',
} as const satisfies Record<SigningKeyState, string>

/** What the audit log says of a key's change. */
export function buildKeyEntry(actor: Actor, brandId: string, { kid, from, to }: KeyChange): AuditEntry {
  return {
    actor,
    brandId,
    action: `signing-key.${verbs[to]}`,
    subject: kid,
    ...(from === undefined ? {} : { before: { state: from } }),
    after: { state: to },
  }
}
