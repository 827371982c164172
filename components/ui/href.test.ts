import { describe, expect, it } from 'vitest'
import { hrefWith } from './href.ts'

describe('hrefWith', () => {
  it('adds to the query that an address has', () => {
    expect(hrefWith('/admin/scopes?q=a', { brand: 'b 1' })).toBe('/admin/scopes?q=a&brand=b+1')
  })

  it('replaces a value, and removes one that is undefined or empty', () => {
    expect(hrefWith('/x?after=1&q=a', { after: '2', q: undefined })).toBe('/x?after=2')
    expect(hrefWith('/x?q=a', { q: '' })).toBe('/x')
  })
})
