/** What a provision file holds, and the console's forms write by way of one: as the audit log names it. */
export const plannedNouns = [
  'provider',
  'personal-agent',
  'brand',
  'skill',
  'scope',
  'tool',
  'check',
  'secret',
  'console-user',
] as const

export const plannedVerbs = ['create', 'update', 'delete'] as const

/** What is done besides. */
export const otherActions = [
  'agent-draft.create',
  'agent.publish',
  'agent.publish-despite-checks',
  'agent.rehearse',
  'api-token.create',
  'api-token.revoke',
  'audit.export',
  'brand.archive',
  'brand.archive-ended',
  'brand.restore',
  'console-user.disable',
  'console-user.enable',
  'conversation.close',
  'grant.revoke',
  'grant.revoke-matching',
  'invitation.accept',
  'invitation.create',
  'invitation.revoke',
  'provision.export',
  'receipts.export',
  'session.complete',
  'session.end',
  'session.refuse',
  'session.refuse-second-factor',
  'session.start',
  'signing-key.activate',
  'signing-key.compromise',
  'signing-key.publish',
  'signing-key.remove',
  'signing-key.retire',
  'user.add-passkey',
  'user.add-totp',
  'user.change-password',
  'user.create',
  'user.drop-credentials',
  'user.recover',
  'user.refuse-password-change',
  'user.remove-passkey',
  'user.remove-totp',
  'user.rename',
  'user.renew-recovery-codes',
] as const

export type PlannedNoun = (typeof plannedNouns)[number]
export type PlannedVerb = (typeof plannedVerbs)[number]
export type OtherAction = (typeof otherActions)[number]

/** Everything that the audit log tells of: `noun.verb`. */
export type AuditAction = `${PlannedNoun}.${PlannedVerb}` | OtherAction
