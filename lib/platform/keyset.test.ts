import { describe, expect, it, vi } from 'vitest'
import {
  formatCursor,
  PAGE_SIZE,
  type PageRequest,
  readCursor,
  readPageOrNewest,
  readPageRequest,
  toPage,
} from './keyset.ts'

const at = new Date('2026-10-01T12:00:00.123Z')
const cursorOf = (id: number) => ({ at, id: String(id) })
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

describe('a cursor', () => {
  it('is read as it was written', () => {
    expect(readCursor(formatCursor({ at, id: 'a2agrant_x-1' }))).toEqual({ at, id: 'a2agrant_x-1' })
  })
  it.each([undefined, '', 'nonsense', Buffer.from('9e99 x').toString('base64url'), 'ä'])(
    '%s is none',
    (text) => {
      expect(readCursor(text)).toBeUndefined()
    },
  )
  it('of another list is not followed', () => {
    expect(readPageRequest({ after: formatCursor(cursorOf(7)) }, /^\d$/)).toEqual({ after: cursorOf(7) })
    expect(readPageRequest({ after: formatCursor(cursorOf(7)) }, /^[a-z]$/)).toEqual({})
  })
})

describe('a page', () => {
  it('has no neighbours when everything fits', () => {
    expect(toPage([1, 2], {}, cursorOf)).toEqual({ rows: [1, 2], before: undefined, after: undefined })
  })
  it('goes on after its last row, and keeps the row too many for the next', () => {
    const page = toPage(numbers(0, PAGE_SIZE + 1), {}, cursorOf)
    expect(page.rows).toHaveLength(PAGE_SIZE)
    expect(readCursor(page.after)).toEqual(cursorOf(PAGE_SIZE - 1))
    expect(page.before).toBeUndefined()
  })
  it('read backwards stands in the order of the list', () => {
    const page = toPage([3, 2, 1], { before: cursorOf(4) }, cursorOf)
    expect(page).toEqual({ rows: [1, 2, 3], before: undefined, after: formatCursor(cursorOf(3)) })
  })
})

describe('a page on which nothing is left', () => {
  const list = async (request: PageRequest) =>
    toPage(request.after || request.before ? [] : [1], request, cursorOf)
  it.each([{ after: cursorOf(1) }, { before: cursorOf(1) }, {}])(
    'gives way to the newest',
    async (request) => {
      expect(await readPageOrNewest(list, request)).toEqual({
        rows: [1],
        before: undefined,
        after: undefined,
      })
    },
  )
  it('is asked for once when it is the newest itself', async () => {
    const none = vi.fn(async (request: PageRequest) => toPage<number>([], request, cursorOf))
    expect((await readPageOrNewest(none, { limit: 2 })).rows).toEqual([])
    expect(none).toHaveBeenCalledTimes(1)
  })
})
