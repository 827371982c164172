import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { withinTime } from './within-time.ts'

const until = (stop: AbortSignal) => sleep(5_000, 'at its end', { signal: stop })
const never = () => new AbortController().signal

it('gives what the work gives, and leaves neither timer nor listener behind', async () => {
  const { signal } = new AbortController()
  const removed = vi.spyOn(signal, 'removeEventListener')
  const [set, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')]
  let stop: AbortSignal | undefined
  const work = async (given: AbortSignal) => {
    stop = given
    return 'done'
  }
  expect(await withinTime(30, signal, work)).toBe('done')
  expect(removed).toHaveBeenCalledOnce()
  expect(cleared).toHaveBeenCalledWith(set.mock.results[0]?.value)
  await sleep(60)
  expect(stop?.aborted).toBe(false)
})

it('stops the work when its time is over', async () => {
  let reason: unknown
  const work = (stop: AbortSignal) =>
    until(stop).finally(() => {
      reason = stop.reason
    })
  await expect(withinTime(20, never(), work)).rejects.toThrow('aborted')
  expect(reason).toMatchObject({ name: 'TimeoutError' })
})

it('stops it when the other signal says so, before or while it works', async () => {
  const controller = new AbortController()
  const working = withinTime(5_000, controller.signal, until)
  controller.abort(new Error('enough'))
  await expect(working).rejects.toMatchObject({ cause: { message: 'enough' } })
  await expect(withinTime(5_000, controller.signal, until)).rejects.toMatchObject({
    cause: { message: 'enough' },
  })
})
