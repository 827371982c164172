import type { AgentState, Turn } from './agent.ts'
import type { CompiledCondition } from './rule.ts'
import { hasPhrase, type Phrase, type Tokens, tokenise } from './words.ts'

/**
 * How long the rules of one turn may take together, in milliseconds: the process serves other Brands too. `atOnce`: where they
 * are searched again if they take longer.
 */
const searchTimes = { turn: 500, atOnce: 50 }

/** The first rule that applies, and its pattern's named groups; or why none was found. */
export type FoundRule<R> =
  | { kind: 'found'; rule: R; match: Record<string, string> }
  | { kind: 'none' }
  /** The rules took too long: those that follow were not looked at. */
  | { kind: 'gave-up' }

/** Finds the first rule whose conditions all hold. */
export function findRule<R extends CompiledCondition>(
  rules: readonly R[],
  { text, state }: Pick<Turn, 'text' | 'state'>,
  within: keyof typeof searchTimes = 'turn',
): FoundRule<R> {
  const deadline = performance.now() + searchTimes[within]
  let tokens: Tokens | undefined
  for (const rule of rules) {
    if (performance.now() > deadline) return { kind: 'gave-up' }
    if (rule.state !== undefined && !isInState(state, rule.state)) continue
    if (rule.phrases) {
      tokens ??= tokenise(text)
      if (!hasAnyPhrase(tokens, rule.phrases)) continue
    }
    if (!rule.pattern) return { kind: 'found', rule, match: {} }
    const match = rule.pattern.match(text)
    if (match) return { kind: 'found', rule, match }
  }
  return { kind: 'none' }
}

function isInState(state: AgentState, expected: string): boolean {
  return Object.hasOwn(state, 'state') && String(state.state) === expected
}

function hasAnyPhrase(tokens: Tokens, phrases: readonly Phrase[]): boolean {
  for (const phrase of phrases) if (hasPhrase(tokens, phrase)) return true
  return false
}
