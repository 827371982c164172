import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { callNext, LONGEST_LINE, standInLine } from './turn-line.ts'

describe('the line of messages that wait for a turn of one conversation', () => {
  it('serves first come, first served', async () => {
    const contextId = randomUUID()
    const served: number[] = []
    const waiting = [1, 2, 3].map((number) =>
      standInLine(contextId, 1_000, async (first) => {
        if (!first) return undefined
        served.push(number)
        return number
      }),
    )
    expect(await Promise.all(waiting)).toEqual([1, 2, 3])
    expect(served).toEqual([1, 2, 3])
  })

  it('keeps the order in which they came, however long each first attempt takes', async () => {
    const contextId = randomUUID()
    const served: string[] = []
    const stand = (name: string, milliseconds: number) =>
      standInLine(contextId, 2_000, async (first) => {
        await sleep(milliseconds)
        if (!first) return undefined
        served.push(name)
        return name
      })
    await Promise.all([stand('slow', 60), stand('slower', 90), stand('quick', 1)])
    expect(served).toEqual(['slow', 'slower', 'quick'])
  })

  it('gives the right to begin only to the first; those behind only look', async () => {
    const contextId = randomUUID()
    let free = false
    const rights: [string, boolean][] = []
    const attempt = (name: string) => async (first: boolean) => {
      rights.push([name, first])
      return free && first ? name : undefined
    }
    const first = standInLine(contextId, 2_000, attempt('first'))
    const second = standInLine(contextId, 2_000, attempt('second'))
    await sleep(100)
    expect(rights.filter(([name]) => name === 'second')).toEqual([['second', false]])
    free = true
    callNext(contextId)
    expect(await Promise.all([first, second])).toEqual(['first', 'second'])
  })

  it('is called at once when a turn ends', async () => {
    const contextId = randomUUID()
    let free = false
    const waiting = standInLine(contextId, 5_000, async () => (free ? 'served' : undefined))
    await sleep(400)
    free = true
    const freedAt = performance.now()
    callNext(contextId)
    expect(await waiting).toBe('served')
    expect(performance.now() - freedAt).toBeLessThan(50)
  })

  it('ends when patience runs out, and lets the next one be first', async () => {
    const contextId = randomUUID()
    const startedAt = performance.now()
    const impatient = standInLine(contextId, 60, async () => undefined)
    const next = standInLine(contextId, 2_000, async () => 'served')
    expect(await impatient).toBeUndefined()
    expect(performance.now() - startedAt).toBeLessThan(300)
    expect(await next).toBe('served')
  })

  it(`turns away whoever comes after ${LONGEST_LINE}`, async () => {
    const contextId = randomUUID()
    const attempt = async (first: boolean) => (first ? 'served' : undefined)
    const waiting = Array.from({ length: LONGEST_LINE }, () => standInLine(contextId, 1_000, attempt))
    expect(await standInLine(contextId, 1_000, attempt)).toBeUndefined()
    expect(await Promise.all(waiting)).toHaveLength(LONGEST_LINE)
  })

  it('passes on a failure of the attempt, and lets the next one be first', async () => {
    const contextId = randomUUID()
    const failing = standInLine(contextId, 1_000, async () => {
      throw new Error('no database')
    })
    const next = standInLine(contextId, 1_000, async () => 'served')
    await expect(failing).rejects.toThrow('no database')
    expect(await next).toBe('served')
  })
})
