import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import type { RefusalReason } from './caller.ts'
import { findHeldKeys } from './jwks.ts'
import {
  type IdentityRegistry,
  keySourceOf,
  newTokenFacts,
  type TokenFacts,
  type TokenRule,
  tokenChecks,
} from './token-checks.ts'
import { databaseRegistry } from './verify-pa-token.ts'

/** What became of one rule. `not_reached`: a rule that it needs has failed. */
export type ExplainedRule = {
  rule: TokenRule
  outcome: 'pass' | 'fail' | 'not_reached'
  /** Of a rule that failed. */
  reason: RefusalReason | undefined
  /** What the token says there, as JSON. */
  found: string | undefined
  /** What it should say, where that is one thing. */
  expected: string | undefined
  /** Of a rule on a time: how long ago it was when it was checked, in whole seconds; negative: ahead. */
  secondsAgo: number | undefined
}

export type ExplainedToken = {
  /** Every rule of §3.2, in the order in which they apply. */
  rules: ExplainedRule[]
  header: TokenFacts['header']
  claims: TokenFacts['claims']
  /** The id of the personal agent whose issuer the token names. */
  personalAgentId: string | undefined
  /** The `kid`s that its keys have. */
  kids: string[]
}

type Reader = (facts: TokenFacts) => unknown

const foundBy: Partial<Record<TokenRule, Reader>> = {
  alg: ({ header }) => header.alg,
  crit: ({ header }) => header.crit,
  kid: ({ header }) => header.kid,
  typ: ({ header }) => header.typ,
  iss: ({ claims }) => claims.iss,
  aud: ({ claims }) => claims.aud,
  iat: ({ claims }) => claims.iat,
  exp: ({ claims }) => claims.exp,
  not_before: ({ claims }) => claims.nbf,
  sub: ({ claims }) => claims.sub,
  lifetime: ({ claims: { iat, exp } }) => Number(exp) - Number(iat),
  issuer: ({ claims }) => claims.iss,
  key: ({ header }) => header.kid,
}

const timeBy: Partial<Record<TokenRule, Reader>> = {
  not_in_future: ({ claims }) => claims.iat,
  not_expired: ({ claims }) => claims.exp,
  not_before: ({ claims }) => claims.nbf,
}

function secondsSince(time: unknown, now: number): number | undefined {
  return typeof time === 'number' ? Math.round(now - time) : undefined
}

/** A token as somebody pastes it: with or without what stands before it in a header. */
function toAuthorization(pasted: string): string {
  return `Bearer ${pasted
    .trim()
    .replace(/^(authorization:\s*)?bearer\s+/i, '')
    .trim()}`
}

/**
 * Checks a token that somebody has pasted by the very rules of a request (§3.2), and goes on after the first that fails.
 * Nothing is stored, and the token is not logged. Keys and an unknown issuer are looked up as for a request.
 *
 * @throws ForbiddenError for a viewer who may not check tokens
 */
export async function explainToken(
  viewer: Viewer,
  pasted: string,
  registry: IdentityRegistry = databaseRegistry,
): Promise<ExplainedToken> {
  assertMay(viewer, 'tokens.check')
  const facts = newTokenFacts(toAuthorization(pasted), registry)
  const passed = new Set<TokenRule>()
  const rules: ExplainedRule[] = []
  for (const { rule, needs, find } of tokenChecks) {
    const reached = needs.every((each) => passed.has(each))
    const reason = reached ? await find(facts) : undefined
    if (reached && !reason) passed.add(rule)
    rules.push({
      rule,
      outcome: reached ? (reason ? 'fail' : 'pass') : 'not_reached',
      reason,
      found: reached ? JSON.stringify(foundBy[rule]?.(facts)) : undefined,
      expected: reached && rule === 'aud' ? JSON.stringify(facts.audience) : undefined,
      secondsAgo: reached ? secondsSince(timeBy[rule]?.(facts), facts.now) : undefined,
    })
  }
  const source = keySourceOf(facts)
  return {
    rules,
    header: facts.header,
    claims: facts.claims,
    personalAgentId: facts.personalAgent?.id,
    kids: (source ? (findHeldKeys(source)?.kids ?? []) : []).map((kid) => kid ?? ''),
  }
}
