import { describe, expect, it } from 'vitest'
import { readServeOptions } from './serve-options.ts'

describe('the flags of npm start', () => {
  it('are a provision file, whatever its checks say, and no demo', () => {
    expect(readServeOptions([])).toEqual({ demo: true, despiteChecks: false })
    expect(readServeOptions(['--no-demo'])).toEqual({ demo: false, despiteChecks: false })
    const file = ['--provision', 'a.yaml']
    const read = { demo: false, provision: 'a.yaml' }
    expect(readServeOptions(file)).toEqual({ ...read, despiteChecks: false })
    expect(readServeOptions([...file, '--despite-checks'])).toEqual({ ...read, despiteChecks: true })
  })

  it.each([['--other'], ['file.yaml'], ['--provision'], ['--no-demo=1']])('do not include %s', (...args) => {
    expect(() => readServeOptions(args)).toThrow(
      /^[^\n]*Usage: npm start \[-- \[--provision FILE\] \[--despite-checks\] \[--no-demo\]\]$/,
    )
  })
})
