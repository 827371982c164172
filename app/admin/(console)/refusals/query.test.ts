import { describe, expect, it } from 'vitest'
import { formatCursor } from '#lib/platform/keyset.ts'
import { countedNames, querySchema, readPages } from './query.ts'

const at = new Date('2026-10-01T12:00:00.123Z')
const stranger = { at, id: '12-no_token-' }
const known = { at, id: '3-expired-0d3b1c52-7f6e-4a0b-9c1d-2e3f4a5b6c7d' }
const [first, last] = ['1', 'f'].map((digit) => ({ at, id: digit.repeat(32) })) as [
  typeof known,
  typeof known,
]

const readAddress = (address: Record<string, unknown>) => readPages(querySchema.parse(address))

describe('the pages of the two lists', () => {
  it('are each list’s own, in its own direction', () => {
    const counted = formatCursor(known)
    const latest = formatCursor(first)
    expect(readAddress({ [countedNames.after]: counted, before: latest })).toEqual({
      counted: { after: known },
      latest: { before: first },
    })
    expect(readAddress({ [countedNames.before]: counted, after: latest })).toEqual({
      counted: { before: known },
      latest: { after: first },
    })
  })

  it('of one list leave the other at its newest', () => {
    expect(readAddress({ [countedNames.after]: formatCursor(stranger) })).toEqual({
      counted: { after: stranger },
      latest: {},
    })
    expect(readAddress({ after: formatCursor(last) })).toEqual({ counted: {}, latest: { after: last } })
  })

  it.each([
    ['the other list', formatCursor(first), formatCursor(known)],
    [
      'a list of UUIDs',
      ...Array<string>(2).fill(formatCursor({ at, id: '12345678-1234-4234-8234-123456789012' })),
    ],
    ['a list of numbers', ...Array<string>(2).fill(formatCursor({ at, id: '123' }))],
    ['nothing', 'x', 'ä'],
  ])('are the newest for a cursor of %s', (_, counted, latest) => {
    for (const side of ['before', 'after'] as const) {
      expect(readAddress({ [countedNames[side]]: counted, [side]: latest })).toEqual({
        counted: {},
        latest: {},
      })
    }
  })
})
