import { afterEach, expect, it, vi } from 'vitest'
import { findRule } from './find-rule.ts'
import type { CompiledCondition } from './rule.ts'
import { buildPhrase } from './words.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('rules of words alone have a time limit too', () => {
  const phrases = ['nothing'].map(buildPhrase).filter((phrase) => phrase !== undefined)
  const rule: CompiledCondition = { state: undefined, phrases, pattern: undefined }
  const rules = Array.from({ length: 1_000 }, () => rule)
  expect(findRule(rules, { text: 'hello', state: {} })).toEqual({ kind: 'none' })
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now++)
  expect(findRule(rules, { text: 'hello', state: {} })).toEqual({ kind: 'gave-up' })
})
