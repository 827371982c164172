import { expect, it } from 'vitest'
import type { Viewer } from '#lib/access/permissions.ts'
import { firstStepsFor } from './first-steps.ts'

const viewer: Viewer = { userId: 'u', email: 'u@x', name: null, providerRole: null, brandRoles: new Map() }

it.each<[string, Partial<Viewer>, boolean, string[], boolean]>([
  ['an admin', { providerRole: 'admin' }, false, ['/admin/personal-agents/new', '/admin/brands'], true],
  ['an auditor', { providerRole: 'auditor' }, true, ['/admin/personal-agents', '/admin/brands'], false],
  ['a manager', { brandRoles: new Map([['B', 'manager']]) }, false, ['/admin/brands'], false],
  ['a viewer', { brandRoles: new Map([['B', 'viewer']]) }, true, ['/admin/brands'], false],
])('what %s can do first is for their role', (_, role, looks, hrefs, demo) => {
  const found = firstStepsFor({ ...viewer, ...role })
  expect([found.looks, found.steps.map(({ href }) => href), found.demo]).toEqual([looks, hrefs, demo])
})
