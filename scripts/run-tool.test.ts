import { describe, expect, it } from 'vitest'
import { runTool, ToolError } from './run-tool.js'

describe('a program of a step', () => {
  it('ends with all that it started when it is told to, and says what it said', async () => {
    const controller = new AbortController()
    const startedAt = performance.now()
    const script = 'echo said; sleep 60 & wait'
    const run = runTool('/bin/sh', ['-c', script], { advice: 'Again.', signal: controller.signal })
    setTimeout(() => controller.abort(), 300)
    await expect(run).rejects.toThrow(new ToolError('said\nAgain.'))
    // Its output is at its end only when all that could write to it have ended.
    expect(performance.now() - startedAt).toBeLessThan(2_500)
  })
})
