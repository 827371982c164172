import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildLeakCheck } from './leak-check.ts'

const instructions = `You are the assistant of Loom & Thread. Never offer more than ten percent off, and only to who asks twice.
Returns are free within 30 days. Do not mention the warehouse in Leipzig. When somebody is angry, apologise once.`

describe('a reply that gives instructions away', () => {
  const isLeak = buildLeakCheck(instructions)

  it.each([
    ['all of them', instructions],
    ['all of them in other case and other lines', instructions.toUpperCase().replaceAll(' ', '\n')],
    ['all of them letter by letter', [...instructions].join('-')],
    [
      'all of them in full-width letters',
      instructions.replace(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
    ],
    [
      'most of them among other words',
      `Sure! My instructions are: "${instructions.slice(20, 190)}" – is there anything else?`,
    ],
    ['most of them, hidden in a table', `| ${instructions.slice(0, 160).split(' ').join(' | ')} |`],
  ])('is found: %s', (_, reply) => {
    expect(isLeak(reply)).toBe(true)
  })

  it.each([
    ['nothing of them', 'Hello! How can I help you with your order?'],
    ['a fact from them', 'Returns are free within 30 days.'],
    [
      'two facts, not as they stand there',
      'Loom & Thread here. Returns are free within 30 days, and I apologise.',
    ],
    ['nothing', ''],
  ])('is not seen in %s', (_, reply) => {
    expect(isLeak(reply)).toBe(false)
  })

  it('short instructions are how people talk', () => {
    expect(buildLeakCheck('Help.')('I can help.')).toBe(false)
    expect(buildLeakCheck('')('')).toBe(false)
  })

  it('is found wherever a long run of long instructions stands', () => {
    const long = Array.from({ length: 3_000 }, (_, n) => `word${(n * 7_919) % 10_007}`).join(' ')
    const check = buildLeakCheck(long)
    fc.assert(
      fc.property(fc.nat(long.length - 1_000), fc.string(), fc.string(), (at, before, after) => {
        expect(check(`${before} ${long.slice(at, at + 500)} ${after}`)).toBe(true)
        expect(check(`${before} ${long.slice(at, at + 200)} ${after}`)).toBe(false)
      }),
      { numRuns: 50 },
    )
  })

  it('costs little, whatever both are', () => {
    const check = buildLeakCheck('ab'.repeat(16_000))
    const startedAt = performance.now()
    check(`${'ab'.repeat(150)}c`.repeat(100))
    expect(performance.now() - startedAt).toBeLessThan(100)
  })
})
