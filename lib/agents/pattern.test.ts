import { describe, expect, it } from 'vitest'
import { compilePattern } from './pattern.ts'

function match(source: string, text: string) {
  const compiled = compilePattern(source)
  if (!compiled.ok) throw new Error(compiled.reason)
  return compiled.pattern.match(text)
}

describe('patterns', { timeout: 60_000 }, () => {
  it('are searched without case, and give their named groups', () => {
    expect(match('cancel\\b.*\\b(?<number>A-\\d+)', 'please CANCEL order a-12!')).toEqual({ number: 'a-12' })
    expect(match('cancel', 'keep it')).toBeUndefined()
    expect(match('cancel', 'cancel it')).toEqual({})
  })

  it('give an empty text for a group that took no part', () => {
    expect(match('(?<a>x)|(?<b>y)', 'y')).toEqual({ a: '', b: 'y' })
  })

  it('give groups with whatever names as plain data', () => {
    const groups = match('(?<__proto__>x)', 'x')
    expect(Object.keys(groups ?? {})).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(groups)).toBe(Object.prototype)
  })

  it('keep characters beyond the basic plane whole', () => {
    expect(match('(?<first>.)', '😀!')).toEqual({ first: '😀' })
  })

  it.each(['(', '(a)\\1', 'a(?=b)', '[z-a]', 'a{1001}', '(?:\\pL{100}){30}'])(
    '%s is refused with a reason',
    (source) => {
      const compiled = compilePattern(source)
      expect(compiled.ok ? '' : compiled.reason).not.toBe('')
    },
  )

  it('an ordinary pattern sees all of a 32 KiB text', () => {
    const text = `${'so '.repeat(10_920)}A-1`
    expect(match('\\b(?<number>A-\\d+)\\b', text)).toEqual({ number: 'A-1' })
  })

  it('a search of 32 KiB takes a bounded time, whatever the pattern and the text', () => {
    const patterns = [
      '.{0,990}z',
      '[ab]{1,900}z',
      '(?:a?){100}a{100}z',
      '(a|b)*a(a|b){20}z',
      '(.*a){20}z',
      '(?:a.{0,30}b.{0,30}){3}z',
    ]
    for (const source of patterns) {
      for (const text of ['a'.repeat(32_768), 'ab'.repeat(16_384), 'aab abb'.repeat(4_681)]) {
        const before = performance.now()
        match(`(?<all>${source})`, text)
        expect(performance.now() - before, source).toBeLessThan(3_000)
      }
    }
  })
})
