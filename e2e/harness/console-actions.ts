import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Permission } from '#lib/access/permissions.ts'

const manifest = join(import.meta.dirname, '../../.next/server/server-reference-manifest.json')

/**
 * Whom a server action is for.
 *
 * `provider`: whoever has the permission at the Provider; `brand`: whoever has it at the Brand that the form names;
 * `self`: whoever is signed in, about themselves; `everyone`: as said. `takes`: what the action is called with; `fields`:
 * what its form must say before it looks at roles
 */
export type ActionRule =
  | {
      for: 'provider' | 'brand'
      permission: Permission
      takes?: 'form' | 'data' | 'value' | 'nothing'
      fields?: Record<string, string>
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
  '(console)/audit#checkChain': { for: 'provider', permission: 'audit.read', takes: 'nothing' },
  '(console)/brands/[id]/card#draftCard': { for: 'brand', permission: 'brands.write', takes: 'data' },
  '(console)/brands/[id]/card#saveCard': { for: 'brand', permission: 'brands.write' },
  '(console)/brands/new#createNewBrand': { for: 'provider', permission: 'brands.create' },
  '(console)/brands/new#draftNew': { for: 'provider', permission: 'brands.create', takes: 'data' },
  '(console)/conversations/[id]#closeAction': { for: 'brand', permission: 'conversations.write' },
  '(console)/grants#countMatchingAction': {
    for: 'brand',
    permission: 'grants.revoke',
    takes: 'value',
    fields: matching,
  },
  '(console)/grants#revokeAction': { for: 'brand', permission: 'grants.revoke' },
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

/** A server action that the build has: its name here, its id on the wire, and a page that it can be sent to. */
export type ActionEntry = { name: string; id: string; page: string }

type Manifest = {
  node: Record<string, { workers: Record<string, unknown>; filename: string; exportedName: string }>
}

/** Every server action below `app/admin` that the build lets a browser call. */
export async function listActions(): Promise<ActionEntry[]> {
  const { node }: Manifest = JSON.parse(await readFile(manifest, 'utf8'))
  return Object.entries(node).flatMap(([id, { workers, filename, exportedName }]) => {
    if (!filename.startsWith('app/admin/')) return []
    const folder = filename.slice('app/admin/'.length).split('/').slice(0, -1).join('/')
    const worker = Object.keys(workers).find((each) => each.startsWith('app/admin/')) ?? 'app/admin/page'
    return [{ name: `${folder}#${exportedName}`, id, page: `${worker.slice('app/admin/'.length)}.tsx` }]
  })
}

type Arguments = { takes: 'form' | 'data' | 'value' | 'nothing'; fields: Record<string, string> }

/** An action's arguments as React sends them: part `0` has all of them, and names where a form's fields are. */
function encodeArguments({ takes, fields }: Arguments): FormData {
  const body = new FormData()
  if (takes === 'form' || takes === 'data') {
    for (const [name, value] of Object.entries(fields)) body.append(`1_${name}`, value)
  }
  const idle = '{"status":"idle","errors":{},"values":{}}'
  const all = {
    form: `[${idle},"$K1"]`,
    data: '["$K1"]',
    value: `[${JSON.stringify(fields)}]`,
    nothing: '[]',
  }
  body.append('0', all[takes])
  return body
}

/** Calls a server action as a browser does. */
export async function callAction(
  address: string,
  id: string,
  cookie: string,
  given: Arguments,
): Promise<{ status: number; text: string; redirect: string | undefined }> {
  const response = await fetch(address, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'next-action': id, accept: 'text/x-component', cookie, origin: new URL(address).origin },
    body: encodeArguments(given),
  })
  const redirect = response.headers.get('x-action-redirect') ?? response.headers.get('location') ?? undefined
  return { status: response.status, text: await response.text(), redirect }
}

/** Whether an action's answer says that the caller may not do this, in whichever way it says so. */
export function isRefusal(text: string): boolean {
  return [
    'You may not do this.',
    '"reason":"forbidden"',
    '"state":"forbidden"',
    '"errors":{},"card":"$undefined"',
    'is not a Brand of yours',
  ].some((part) => text.includes(part))
}
