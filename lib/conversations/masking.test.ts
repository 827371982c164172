import { describe, expect, it } from 'vitest'
import type { Viewer } from '#lib/access/permissions.ts'
import type { BrandRole, ProviderRole } from '#prisma/generated/client.ts'
import { isMaskedFor, showText } from './masking.ts'

const viewer = (providerRole: ProviderRole | null, brandRole?: BrandRole): Viewer => ({
  userId: 'u',
  email: 'u@provider.example',
  name: null,
  providerRole,
  brandRoles: new Map(brandRole ? [['b', brandRole]] : []),
})

describe('messages are masked', () => {
  it.each([
    ['for a role that is named', viewer(null, 'viewer'), ['viewer'], true],
    ['not for one that is not', viewer(null, 'manager'), ['viewer'], false],
    ['for an auditor', viewer('auditor'), ['auditor'], true],
    ['never for an admin', viewer('admin'), ['auditor', 'manager', 'viewer'], false],
    ['not for whoever may read them in another role', viewer('auditor', 'manager'), ['auditor'], false],
    ['for whoever has no role at the Brand', viewer(null), [], true],
  ])('%s', (_, who, maskedFor, expected) => {
    expect(isMaskedFor(who, 'b', maskedFor)).toBe(expected)
  })
})

describe('of a text is shown', () => {
  it.each([
    [{ text: 'hello', length: 5, purged: false }, { text: 'hello' }],
    [{ text: null, length: 5, purged: false }, { masked: 5 }],
    [{ text: null, length: 0, purged: true }, { purged: true }],
  ])('%j: %j', (stored, shown) => {
    expect(showText(stored)).toEqual(shown)
  })
})
