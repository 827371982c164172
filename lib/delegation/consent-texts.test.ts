import { describe, expect, it } from 'vitest'
import { writeConsentTexts } from './consent-texts.ts'

const facts = {
  brand: 'Loom & Thread',
  provider: 'Example Provider',
  personalAgent: { name: 'Aida', origin: 'https://xn--pypal-4ve.com', verified: false },
  besides: false,
  allowedBefore: false,
  grantDays: 90,
}

describe('the sentences of a consent page', () => {
  it.each([
    [90, '90 days'],
    [1.5, '1 day'],
    [1, '1 day'],
    [0.5, '12 hours'],
    [0.05, '72 minutes'],
    [0.01, '14 minutes'],
  ])('%d days are %s: never more than it is', (grantDays, duration) => {
    expect(writeConsentTexts({ ...facts, grantDays }).duration).toContain(`holds for ${duration}, or`)
  })

  it('name the origin in ASCII where they warn, and where nobody has verified who it is', () => {
    const { warning, identity } = writeConsentTexts(facts)
    expect(warning).toContain('(https://xn--pypal-4ve.com)')
    expect(identity).toMatch(/^Not verified: .*https:\/\/xn--pypal-4ve\.com/)
    const verified = { ...facts.personalAgent, verified: true }
    expect(writeConsentTexts({ ...facts, personalAgent: verified }).identity).toMatch(/^Verified: /)
  })

  it('say what the button that denies leaves as it is, where there is something, and where all of it can be seen', () => {
    expect(writeConsentTexts(facts).denyKeeps).toBeUndefined()
    const texts = writeConsentTexts({ ...facts, allowedBefore: true })
    expect(texts.denyKeeps).toBe('“Do not allow” leaves what it may do already as it is.')
    expect(texts.noneChecked).toContain('nothing is allowed any more')
    expect(texts.duration).toContain(`“${texts.grants}”`)
  })

  it('speak of what is allowed already only where there is something', () => {
    expect(writeConsentTexts(facts).besides).toBeUndefined()
    expect(writeConsentTexts({ ...facts, besides: true }).besides).toBe('It may already')
  })
})
