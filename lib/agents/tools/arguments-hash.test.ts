import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashArguments } from './arguments-hash.ts'

describe('§5.6 argsHash', () => {
  it('is the base64url SHA-256 of the RFC 8785 form', () => {
    const expected = createHash('sha256').update('{"a":1,"number":"A-1"}').digest('base64url')
    expect(hashArguments({ number: 'A-1', a: 1.0 })).toBe(expected)
    expect(hashArguments({ a: 1, number: 'A-1' })).toBe(expected)
  })
})
