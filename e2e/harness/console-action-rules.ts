import type { Permission } from '#lib/access/permissions.ts'

/** `form`: a state and a form; `data`: a form; `value`: its fields as an object; `id`: the Brand's id. */
export type Takes = 'form' | 'data' | 'value' | 'id' | 'nothing'

/**
 * Whom a server action is for.
 *
 * `provider`: whoever has the permission at the Provider; `brand`: whoever has it at the Brand that the form names;
 * `self`: whoever is signed in, about themselves; `everyone`: as said. `takes`: what the action is called with; `fields`:
 * what its form must say before it looks at roles; `quiet`: refused, it answers as if there were nothing to say; `id`: of what kind the form's `id` is, unless
 * it is the Brand's
 */
export type ActionRule =
  | {
      for: 'provider' | 'brand'
      permission: Permission
      takes?: Takes
      quiet?: true
      fields?: Record<string, string>
      id?: 'grant'
    }
  | { for: 'self' | 'everyone' }

const invited = { email: 'invited@provider.example', role: 'viewer' }
const matching = { user: 'nobody-has-this-id', countedAt: '2026-01-01T00:00:00Z' }

/** Every server action of the console by its name, and what it asks for. One that is not here fails the test. */
export const actionRules: Readonly<Record<string, ActionRule>> = {
  '(console)/account#endOtherSessions': { for: 'self' },
  '(console)/account#endSession': { for: 'self' },
  '(console)/account#saveName': { for: 'self' },
  '(console)/account#savePassword': { for: 'self' },
  '(console)/api#makeToken': { for: 'self' },
  '(console)/api#revokeToken': { for: 'self' },
  '(console)/audit#checkChain': { for: 'provider', permission: 'audit.read', takes: 'nothing' },
  '(console)/brands/[id]/agent#saveBot': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/agent#saveModel': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/agent#saveRules': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/agent#sayToDraft': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/agent/checks#runChecksNow': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/agent/checks#saveChecks': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/agent/publish#publishDraft': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/agent/tools#saveTools': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/agent/tools#tryToolNow': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/agent/tools/import#addTools': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/agent/tools/import#readDocument': {
    for: 'brand',
    permission: 'brands.write',
    takes: 'data',
  },
  '(console)/brands/[id]/agent/versions#restoreVersion': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/card#draftCard': { for: 'brand', permission: 'brands.write', takes: 'data' },
  '(console)/brands/[id]/card#saveCard': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/domain#askDomain': {
    for: 'brand',
    permission: 'brands.write',
    takes: 'id',
    quiet: true,
  },
  '(console)/brands/[id]/domain#checkDomainForm': {
    for: 'brand',
    permission: 'brands.write',
    takes: 'data',
    quiet: true,
  },
  '(console)/brands/[id]/domain#saveDomain': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/limits#checkLimits': {
    for: 'brand',
    permission: 'brands.write',
    takes: 'data',
    quiet: true,
  },
  '(console)/brands/[id]/limits#saveLimits': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/login#checkLoginKeys': {
    for: 'brand',
    permission: 'brands.write',
    takes: 'id',
    quiet: true,
  },
  '(console)/brands/[id]/login#draftLogin': { for: 'brand', permission: 'brands.write', takes: 'data' },
  '(console)/brands/[id]/login#readTest': {
    for: 'brand',
    permission: 'brands.write',
    takes: 'id',
    quiet: true,
  },
  '(console)/brands/[id]/login#saveLogin': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/login#startTest': {
    for: 'brand',
    permission: 'brands.write',
    takes: 'id',
    quiet: true,
  },
  '(console)/brands/[id]/login#stopDelegation': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/state#bringBack': { for: 'brand', permission: 'brands.archive' },
  '(console)/brands/[id]/state#disableBrand': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/state#enableBrand': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/[id]/state#putAway': { for: 'brand', permission: 'brands.archive' },
  '(console)/brands/new#createNewBrand': { for: 'provider', permission: 'brands.create' },
  '(console)/brands/new#draftNew': { for: 'provider', permission: 'brands.create', takes: 'data' },
  '(console)/conversations/[id]#closeAction': { for: 'brand', permission: 'conversations.write' },
  '(console)/grants#countMatchingAction': {
    for: 'brand',
    permission: 'grants.revoke',
    takes: 'value',
    fields: matching,
  },
  '(console)/grants#revokeAction': { for: 'brand', permission: 'grants.revoke', id: 'grant' },
  '(console)/grants#revokeNextAction': {
    for: 'brand',
    permission: 'grants.revoke',
    takes: 'value',
    fields: matching,
  },
  '(console)/keys#compromiseAction': { for: 'brand', permission: 'keys.write' },
  '(console)/keys#retireAction': { for: 'brand', permission: 'keys.write' },
  '(console)/keys#rotateAction': { for: 'brand', permission: 'keys.write', fields: { force: 'no' } },
  '(console)/keys#scheduleAction': { for: 'brand', permission: 'brands.write' },
  '(console)/members#invite': { for: 'brand', permission: 'members.write', fields: invited },
  '(console)/members#revoke': { for: 'brand', permission: 'members.write' },
  '(console)/members#saveBrandRole': { for: 'brand', permission: 'members.write' },
  '(console)/members#saveDisabled': { for: 'provider', permission: 'members.write' },
  '(console)/members#saveProviderRole': { for: 'provider', permission: 'members.write' },
  '(console)/personal-agents#checkToken': { for: 'provider', permission: 'tokens.check' },
  '(console)/personal-agents#edit': { for: 'provider', permission: 'personal-agents.write' },
  '(console)/personal-agents#makeRegistered': { for: 'provider', permission: 'personal-agents.write' },
  '(console)/personal-agents#register': { for: 'provider', permission: 'personal-agents.write' },
  '(console)/personal-agents#setEnabled': { for: 'provider', permission: 'personal-agents.write' },
  '(console)/personal-agents#testConnection': { for: 'provider', permission: 'personal-agents.read' },
  '(console)/settings#saveSettings': { for: 'provider', permission: 'settings.write' },
  'own#beginPasskey': { for: 'self' },
  'own#deletePasskey': { for: 'self' },
  'own#finishPasskey': { for: 'self' },
  'own#makeRecoveryCodes': { for: 'self' },
  'own#turnOffTotp': { for: 'self' },
  'own#turnOnTotp': { for: 'self' },
  'sign-in#signIn': { for: 'everyone' },
  'sign-in#signOut': { for: 'everyone' },
  'sign-in/invitation#acceptInvitation': { for: 'everyone' },
  'sign-in/invitation#acceptSignedIn': { for: 'everyone' },
  'sign-in/new-password#choosePassword': { for: 'everyone' },
  'sign-in/second-factor#beginPasskeyUse': { for: 'everyone' },
  'sign-in/second-factor#giveCode': { for: 'everyone' },
  'sign-in/second-factor#givePasskey': { for: 'everyone' },
}
