import { describe, expect, it } from 'vitest'
import { readServeOptions } from './serve-options.ts'

describe('the flags of npm start', () => {
  it('are a provision file and no demo', () => {
    expect(readServeOptions([])).toEqual({ demo: true })
    expect(readServeOptions(['--no-demo'])).toEqual({ demo: false })
    expect(readServeOptions(['--provision', 'a.yaml'])).toEqual({ demo: false, provision: 'a.yaml' })
  })

  it.each([['--other'], ['file.yaml'], ['--provision'], ['--no-demo=1']])('do not include %s', (...args) => {
    expect(() => readServeOptions(args)).toThrow(
      /^[^\n]*Usage: npm start \[-- \[--provision FILE\] \[--no-demo\]\]$/,
    )
  })
})
