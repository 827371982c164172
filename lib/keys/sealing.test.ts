import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { masterKeyId, SealError, seal, sealedUnder, unseal } from './sealing.ts'

const masterKey = randomBytes(32)
const owner = { brandId: '01KAA0B5V7S8Q0ZJ1M9T3X4WCR', kid: 'kid-1' }
const plain = Buffer.from('a private key')

describe('a sealed private key', () => {
  it('opens under its master key, and says which one that is', () => {
    const blob = seal(plain, masterKey, owner)
    expect(unseal(blob, [randomBytes(32), masterKey], owner)).toEqual(plain)
    expect(sealedUnder(blob)).toBe(masterKeyId(masterKey))
    expect(blob.includes(plain)).toBe(false)
  })

  it('is another blob each time', () => {
    expect(seal(plain, masterKey, owner)).not.toEqual(seal(plain, masterKey, owner))
  })

  it('does not open under another master key: one line', () => {
    const open = () => unseal(seal(plain, masterKey, owner), [randomBytes(32)], owner)
    expect(open).toThrow(SealError)
    expect(open).toThrow(
      /^The signing key kid-1 is sealed under another master key: check PACT_MASTER_KEY.*$/,
    )
  })

  it.each([
    ['another Brand', { ...owner, brandId: '01KAA0B5V7N2E6Y4D8GH5RPKQF' }],
    ['another key', { ...owner, kid: 'kid-2' }],
  ])('does not open for %s', (_, other) => {
    expect(() => unseal(seal(plain, masterKey, owner), [masterKey], other)).toThrow(SealError)
  })

  it('does not open with any bit changed, nor cut short', () => {
    const blob = seal(plain, masterKey, owner)
    fc.assert(
      fc.property(fc.nat(blob.length * 8 - 1), (bit) => {
        const changed = Buffer.from(blob)
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(() => unseal(changed, [masterKey], owner)).toThrow(SealError)
      }),
    )
    for (let length = 0; length < blob.length; length++) {
      expect(() => unseal(blob.subarray(0, length), [masterKey], owner)).toThrow(SealError)
    }
  })
})
