import { describe, expect, it } from 'vitest'
import { brandHref, isAt } from './brand-href.ts'

describe('links of the console', () => {
  it('carry the Brand along, and keep their own query', () => {
    expect(brandHref('/admin/grants?state=active', 'acme')).toBe('/admin/grants?state=active&brand=acme')
    expect(brandHref('/admin/grants', undefined)).toBe('/admin/grants')
  })

  it('are current for the pages below them, never for a neighbour that begins alike', () => {
    expect(isAt('/admin/grants/g1', '/admin/grants', '/admin')).toBe(true)
    expect(isAt('/admin/grants-archive', '/admin/grants', '/admin')).toBe(false)
    expect(isAt('/admin/grants', '/admin', '/admin')).toBe(false)
    expect(isAt('/admin', '/admin', '/admin')).toBe(true)
  })
})
