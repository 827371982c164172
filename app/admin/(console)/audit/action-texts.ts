import type { OtherAction, PlannedNoun, PlannedVerb } from '#lib/access/audit-actions.ts'

const verbs: Readonly<Record<PlannedVerb, string>> = {
  create: 'Added',
  update: 'Changed',
  delete: 'Removed',
}

const nouns: Readonly<Record<PlannedNoun, string>> = {
  provider: 'the Provider’s settings',
  'personal-agent': 'a personal agent',
  brand: 'a Brand',
  skill: 'a skill of a Brand',
  scope: 'a scope of a Brand',
  tool: 'a tool of an agent',
  check: 'a check of an agent',
  secret: 'a secret of an agent',
  'console-user': 'a member',
}

const others: Readonly<Record<OtherAction, string>> = {
  'agent-draft.create': 'Saved a draft of an agent',
  'agent.publish': 'Published an agent',
  'agent.publish-despite-checks': 'Published an agent although checks failed',
  'agent.rehearse': 'Tried the Brand’s own bot',
  'api-token.create': 'Made an API token',
  'api-token.revoke': 'Revoked an API token',
  'audit.export': 'Exported the audit log',
  'brand.archive': 'Archived a Brand',
  'brand.archive-ended': 'Ended what an archived Brand had open',
  'brand.restore': 'Restored an archived Brand',
  'console-user.disable': 'Disabled a member',
  'console-user.enable': 'Enabled a member',
  'conversation.close': 'Closed a conversation',
  'grant.revoke': 'Revoked a grant',
  'grant.revoke-matching': 'Revoked grants by a filter',
  'invitation.accept': 'Accepted an invitation',
  'invitation.create': 'Invited somebody',
  'invitation.revoke': 'Revoked an invitation',
  'provision.export': 'Exported the Provider as a file',
  'receipts.export': 'Exported receipts',
  'session.complete': 'Gave the second factor',
  'session.end': 'Ended sessions',
  'session.refuse': 'Was refused at sign-in',
  'session.refuse-second-factor': 'Was refused at the second factor',
  'session.start': 'Signed in',
  'signing-key.activate': 'Began to sign with a key',
  'signing-key.compromise': 'Marked a signing key as compromised',
  'signing-key.publish': 'Published the next signing key',
  'signing-key.remove': 'Removed a signing key',
  'signing-key.retire': 'Retired a signing key',
  'user.add-passkey': 'Added a passkey',
  'user.add-totp': 'Added an authenticator app',
  'user.change-password': 'Changed their password',
  'user.create': 'Made the first admin’s account',
  'user.drop-credentials': 'Dropped credentials that nobody had proven',
  'user.recover': 'Recovered an account from the command line',
  'user.refuse-password-change': 'Was refused a new password',
  'user.remove-passkey': 'Removed a passkey',
  'user.remove-totp': 'Removed an authenticator app',
  'user.rename': 'Changed their name',
  'user.renew-recovery-codes': 'Made new recovery codes',
}

const isOther = (action: string): action is OtherAction => Object.hasOwn(others, action)
const isNoun = (noun: string): noun is PlannedNoun => Object.hasOwn(nouns, noun)
const isVerb = (verb: string): verb is PlannedVerb => Object.hasOwn(verbs, verb)

/** An action of the audit log in words; undefined for one that only an older version wrote. */
export function describeAction(action: string): string | undefined {
  if (isOther(action)) return others[action]
  const [noun = '', verb = ''] = action.split('.', 2)
  return isNoun(noun) && isVerb(verb) ? `${verbs[verb]} ${nouns[noun]}` : undefined
}
