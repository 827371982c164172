import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { prisma } from '#lib/platform/database.ts'
import { toProviderSettings, type WholeSettings } from './read-provider.ts'

export type ShownSettings = {
  settings: WholeSettings
  /** When they were changed last: whoever edits them says what they saw. */
  version: Date
}

/** The Provider's settings; undefined before the first provision file. @throws ForbiddenError */
export async function findSettings(viewer: Viewer): Promise<ShownSettings | undefined> {
  assertMay(viewer, 'settings.read')
  const stored = await prisma().provider.findUnique({ where: { id: 1 } })
  return stored ? { settings: toProviderSettings(stored), version: stored.updatedAt } : undefined
}

/** Whom a change of the settings would meet. */
export type SettingsReach = {
  /** Enabled personal agents: another audience refuses them all, until their developers have changed it. */
  personalAgents: number
  admins: number
  adminsWithoutSecondFactor: number
}

/** Counts whom a change of the settings would meet. @throws ForbiddenError */
export async function countSettingsReach(viewer: Viewer): Promise<SettingsReach> {
  assertMay(viewer, 'settings.read')
  const able = { providerRole: 'admin', disabledAt: null } as const
  const [personalAgents, admins, adminsWithoutSecondFactor] = await Promise.all([
    prisma().personalAgent.count({ where: { enabled: true } }),
    prisma().consoleUser.count({ where: able }),
    prisma().consoleUser.count({ where: { ...able, sealedTotp: null, passkeys: { none: {} } } }),
  ])
  return { personalAgents, admins, adminsWithoutSecondFactor }
}
