import { describe, expect, it, vi } from 'vitest'
import { keepStep } from './test-step.js'

describe('a step whose output is kept', () => {
  it('writes nothing before it is shown, and begins when the one before it has ended', async () => {
    const written: string[] = []
    const keep = (text: unknown) => written.push(String(text)) > 0
    vi.spyOn(process.stdout, 'write').mockImplementation(keep)
    vi.spyOn(console, 'log').mockImplementation(keep)
    const first = keepStep({
      name: 'First',
      work: async ({ run, say }) => {
        const ok = await run('tsc', ['--version'])
        say(`succeeded: ${ok}`)
        return { passed: 1, failed: 0 }
      },
    })
    const work = async ({ run }: { run: (program: string, args: string[]) => Promise<boolean> }) => ({
      passed: 0,
      failed: (await run('no-such-program', [])) ? 0 : 1,
    })
    const second = keepStep({ name: 'Second', work }, { after: first.ended, urgent: false })
    await second.ended
    expect(written).toEqual([])
    expect(await first.show()).toMatchObject({ name: 'First', counts: { passed: 1, failed: 0 } })
    expect(written.join('\n')).toMatch(/^\n== First\nVersion [\d.]+\nsucceeded: true\n$/)
    expect(await second.show()).toMatchObject({ counts: { passed: 0, failed: 1 } })
    vi.restoreAllMocks()
  })
})
