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
    ['a variation selector behind a digit', '1\uFE0F', '1[U+FE0F]'],
    ['a joiner between letters', 'a\u200Db', 'a[U+200D]b'],
    ['a joiner behind an emoji', '😀\u200D', '😀[U+200D]'],
    ['a Braille blank', 'a\u2800', 'a[U+2800]'],
    ['a Mongolian vowel separator', 'a\u180Eb', 'a[U+180E]b'],
    ['an ignorable character without a name', 'a\u2065\uFFF0', 'a[U+2065][U+FFF0]'],
  ])('%s is made visible', (_what, text, shown) => {
    expect(makeVisible(text)).toBe(shown)
  })

  it('everything else stays as it is', () => {
    for (const text of ['Look up your orders', 'Żółć', '日本語', 'שלום', '😀', '<b>&']) {
      expect(makeVisible(text)).toBe(text)
    }
  })

  it.each([
    ['a heart with its variation selector', '❤️'],
    ['a family, joined', '👨‍👩‍👧'],
    ['a keycap', '1️⃣'],
    ['a flag of tag characters', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['a hand with a skin tone', '👍🏽'],
  ])('an emoji is one sign: %s', (_what, text) => {
    expect(makeVisible(`a${text}b`)).toBe(`a${text}b`)
    expect(displayText({ max: 100 }).parse(`a${text}b`)).toBe(`a${text}b`)
  })

  it('a line break does not hide what stands behind it', () => {
    expect(displayText({ max: 100, lines: true }).safeParse('❤\n\uFE0F').success).toBe(false)
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
