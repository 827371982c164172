import { afterEach, describe, expect, it, vi } from 'vitest'
import { keepStep, type Place, type Step, showStep, stopSteps } from './test-step.js'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Notes what is written from now on. */
function watchOutput() {
  const written: string[] = []
  const keep = (text: unknown) => written.push(String(text)) > 0
  vi.spyOn(process.stdout, 'write').mockImplementation(keep)
  vi.spyOn(console, 'log').mockImplementation(keep)
  return written
}

/** A step that runs a program, and notes when it begins and ends. */
function stepOf(name: string, [program = '', ...args]: string[], events: string[] = []): Step {
  const work = async ({ run, say }: Place) => {
    events.push(`${name} begins`)
    const ok = await run(program, args)
    say(`succeeded: ${ok}`)
    events.push(`${name} ends`)
    return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
  }
  return { name, work }
}

describe('a step whose output is kept', () => {
  it('writes nothing before it is shown', async () => {
    const written = watchOutput()
    const kept = keepStep(stepOf('First', ['tsc', '--version']), { urgent: false })
    await kept.ended
    expect(written).toEqual([])
    expect(await kept.show()).toMatchObject({ name: 'First', counts: { passed: 1, failed: 0 } })
    expect(written.join('\n')).toMatch(/^\n== First\nVersion [\d.]+\nsucceeded: true\n$/)
  })

  it('begins when the one before it has ended, also when that failed', async () => {
    const events: string[] = []
    const first = keepStep(stepOf('First', ['no-such-program'], events))
    const second = keepStep(stepOf('Second', ['tsc', '--version'], events), { after: first.ended })
    expect(await first.ended).toMatchObject({ counts: { passed: 0, failed: 1 } })
    expect(await second.ended).toMatchObject({ counts: { passed: 1, failed: 0 } })
    expect(events).toEqual(['First begins', 'First ends', 'Second begins', 'Second ends'])
  })
})

// The last: no step of this process begins after it.
it('what runs is told to end, and what waits for it does not begin', async () => {
  const written = watchOutput()
  const events: string[] = []
  const first = keepStep(stepOf('First', ['tsc', '--noEmit', '--watch'], events))
  const second = keepStep(stepOf('Second', ['tsc', '--version'], events), { after: first.ended })
  const aborted = new Promise<void>((resolve) => {
    const work = async ({ signal }: Place) => {
      signal.addEventListener('abort', () => resolve())
      return { passed: 0, failed: 0 }
    }
    keepStep({ name: 'Third', work })
  })
  await vi.waitUntil(() => events.includes('First begins'))
  stopSteps('SIGTERM')
  await aborted
  for (const result of [await first.show(), await second.show(), await showStep(stepOf('Fourth', ['tsc']))]) {
    expect(result).toMatchObject({ counts: { passed: 0, failed: 1 } })
  }
  expect(events).toEqual(['First begins', 'First ends'])
  expect(written).toEqual([])
})
