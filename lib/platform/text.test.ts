import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { displayText, makeVisible } from './text.ts'

describe('what others wrote, for people to read', () => {
  it.each([
    ['a right-to-left override', 'paypal\u202Emoc', 'paypal[U+202E]moc'],
    ['an isolate', '\u2066x\u2069', '[U+2066]x[U+2069]'],
    ['a zero-width space', 'a\u200Bb', 'a[U+200B]b'],
    ['a soft hyphen', 'a\u00ADb', 'a[U+00AD]b'],
    ['a line break', 'a\nb', 'a[U+000A]b'],
    ['a tag character', 'a\u{E0041}', 'a[U+E0041]'],
    ['a Hangul filler', 'a\u3164', 'a[U+3164]'],
    ['a variation selector', 'a\uFE0F', 'a[U+FE0F]'],
  ])('%s is made visible', (_what, text, shown) => {
    expect(makeVisible(text)).toBe(shown)
  })

  it('everything else stays as it is', () => {
    for (const text of ['Look up your orders', 'Żółć', '日本語', 'שלום', '😀', '<b>&']) {
      expect(makeVisible(text)).toBe(text)
    }
  })

  it('whatever is refused at entry is visible, and whatever is shown could be entered', () => {
    const entered = displayText({ max: 100_000 })
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = makeVisible(text)
        expect(entered.safeParse(`x${shown}x`).success).toBe(true)
        if (entered.safeParse(`x${text}x`).success) expect(shown).toBe(text)
      }),
    )
  })
})
