import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Permission } from '#lib/access/permissions.ts'
import type { BrandThings } from './console-things.ts'

const app = join(import.meta.dirname, '../../app')

/**
 * Whom a page or route of the console is for.
 *
 * `provider`: whoever has the permission at the Provider; `list`: whoever has it at some Brand, and with `?brand=` at
 * that one; `thing`: whoever has it at the Brand of the thing that its address names; `signed-in`, `everyone`: as said
 */
export type PageRule =
  | { for: 'provider' | 'list' | 'anywhere'; permission: Permission; thing?: keyof BrandThings }
  | { for: 'thing'; permission: Permission; thing: keyof BrandThings }
  | { for: 'signed-in' | 'everyone' }

/** Every page and route below `app/admin`, and what it asks for. A file that is not here fails the test. */
export const pageRules: Readonly<Record<string, PageRule>> = {
  '(console)/page.tsx': { for: 'anywhere', permission: 'home.read' },
  '(console)/account/page.tsx': { for: 'signed-in' },
  '(console)/api/page.tsx': { for: 'anywhere', permission: 'home.read' },
  '(console)/api/reference/page.tsx': { for: 'anywhere', permission: 'home.read' },
  '(console)/audit/page.tsx': { for: 'list', permission: 'audit.read' },
  '(console)/audit/export/route.ts': { for: 'list', permission: 'audit.read' },
  '(console)/audit/[id]/page.tsx': { for: 'thing', permission: 'audit.read', thing: 'auditEvent' },
  '(console)/brands/page.tsx': { for: 'anywhere', permission: 'brands.read' },
  '(console)/brands/new/page.tsx': { for: 'provider', permission: 'brands.create' },
  '(console)/brands/[id]/page.tsx': { for: 'thing', permission: 'brands.read', thing: 'brand' },
  '(console)/brands/[id]/agent/page.tsx': { for: 'thing', permission: 'brands.read', thing: 'brand' },
  '(console)/brands/[id]/agent/checks/page.tsx': { for: 'thing', permission: 'brands.read', thing: 'brand' },
  '(console)/brands/[id]/agent/publish/page.tsx': { for: 'thing', permission: 'brands.read', thing: 'brand' },
  '(console)/brands/[id]/agent/tools/page.tsx': { for: 'thing', permission: 'brands.read', thing: 'brand' },
  '(console)/brands/[id]/agent/tools/import/page.tsx': {
    for: 'thing',
    permission: 'brands.write',
    thing: 'brand',
  },
  '(console)/brands/[id]/agent/versions/page.tsx': {
    for: 'thing',
    permission: 'brands.read',
    thing: 'brand',
  },
  '(console)/brands/[id]/card/page.tsx': { for: 'thing', permission: 'brands.read', thing: 'brand' },
  '(console)/brands/[id]/domain/page.tsx': { for: 'thing', permission: 'brands.read', thing: 'brand' },
  '(console)/brands/[id]/limits/page.tsx': { for: 'thing', permission: 'brands.read', thing: 'brand' },
  '(console)/brands/[id]/login/page.tsx': { for: 'thing', permission: 'brands.read', thing: 'brand' },
  '(console)/brands/[id]/state/page.tsx': { for: 'thing', permission: 'brands.read', thing: 'brand' },
  '(console)/brands/[id]/usage/page.tsx': { for: 'thing', permission: 'usage.read', thing: 'brand' },
  '(console)/conversations/page.tsx': { for: 'list', permission: 'conversations.read' },
  '(console)/conversations/[id]/page.tsx': {
    for: 'thing',
    permission: 'conversations.read',
    thing: 'conversation',
  },
  '(console)/grants/page.tsx': { for: 'list', permission: 'grants.read' },
  '(console)/grants/[id]/page.tsx': { for: 'thing', permission: 'grants.read', thing: 'grant' },
  '(console)/keys/page.tsx': { for: 'list', permission: 'keys.read' },
  '(console)/keys/[kid]/page.tsx': { for: 'thing', permission: 'keys.read', thing: 'key' },
  '(console)/members/page.tsx': { for: 'list', permission: 'members.read' },
  '(console)/members/[id]/page.tsx': { for: 'thing', permission: 'members.read', thing: 'member' },
  '(console)/personal-agents/page.tsx': { for: 'provider', permission: 'personal-agents.read' },
  '(console)/personal-agents/new/page.tsx': { for: 'provider', permission: 'personal-agents.write' },
  '(console)/personal-agents/[id]/page.tsx': {
    for: 'provider',
    permission: 'personal-agents.read',
    thing: 'personalAgent',
  },
  '(console)/personal-agents/[id]/edit/page.tsx': {
    for: 'provider',
    permission: 'personal-agents.write',
    thing: 'personalAgent',
  },
  '(console)/receipts/page.tsx': { for: 'list', permission: 'receipts.read' },
  '(console)/receipts/export/route.ts': { for: 'list', permission: 'receipts.export' },
  '(console)/receipts/[id]/page.tsx': { for: 'thing', permission: 'receipts.read', thing: 'receipt' },
  '(console)/refusals/page.tsx': { for: 'provider', permission: 'refusals.read' },
  '(console)/settings/page.tsx': { for: 'provider', permission: 'settings.read' },
  '(console)/settings/provision/route.ts': { for: 'provider', permission: 'provision.export' },
  '(console)/usage/page.tsx': { for: 'list', permission: 'usage.read' },
  'sign-in/page.tsx': { for: 'everyone' },
  'sign-in/invitation/page.tsx': { for: 'everyone' },
  'sign-in/new-password/page.tsx': { for: 'everyone' },
  'sign-in/second-factor/page.tsx': { for: 'everyone' },
  'sign-in/second-factor/set-up/page.tsx': { for: 'everyone' },
}

/** The files of all pages and routes below `app/admin`. */
export async function listPageFiles(): Promise<string[]> {
  const files = await readdir(join(app, 'admin'), { recursive: true })
  return files.filter((file) => /(^|\/)(page\.tsx|route\.ts)$/.test(file)).sort()
}

/** The address of a page or route, with an id in the place of its variable. */
export function addressOf(file: string, id = ''): string {
  const path = file
    .split('/')
    .slice(0, -1)
    .filter((segment) => !segment.startsWith('('))
    .map((segment) => (segment.startsWith('[') ? encodeURIComponent(id) : segment))
  return ['/admin', ...path].join('/')
}
