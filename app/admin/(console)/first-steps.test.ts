import { expect, it } from 'vitest'
import type { Viewer } from '#lib/access/permissions.ts'
import { firstStepsFor } from './first-steps.ts'

const viewer: Viewer = { userId: 'u', email: 'u@x', name: null, providerRole: null, brandRoles: new Map() }

it.each<[string, Partial<Viewer>, boolean, string[]]>([
  ['an admin', { providerRole: 'admin' }, false, ['/admin/personal-agents/new', '/admin/brands']],
  ['an auditor', { providerRole: 'auditor' }, true, ['/admin/personal-agents', '/admin/brands']],
  ['a manager', { brandRoles: new Map([['B', 'manager']]) }, false, ['/admin/brands']],
  ['a viewer', { brandRoles: new Map([['B', 'viewer']]) }, true, ['/admin/brands']],
])('what %s can do first is for their role', (_, role, looks, hrefs) => {
  const found = firstStepsFor({ ...viewer, ...role })
  expect([found.looks, found.steps.map(({ href }) => href)]).toEqual([looks, hrefs])
})
