import { createPrivateKey } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { JWK } from 'jose'

/** A personal agent that the Provider knows, played by the suite. */
export type PersonalAgent = { issuer: string; privateJwk: JWK }

/** The Provider under test, and what the suite needs to know about it. */
export type Target = {
  /** `PROVIDER_URL`, without a trailing slash. */
  providerUrl: string
  brandId: string
  otherBrandId: string
  /** The audience that the Provider assigned to `personalAgent` (§3.1). */
  audience: string
  personalAgent: PersonalAgent
  /** A second registered personal agent. Undefined: what needs one is not tested. */
  otherPersonalAgent: PersonalAgent | undefined
  /** Publishes a new key of `otherPersonalAgent`, which then signs with it. Undefined: not tested. */
  publishNewKey?: () => Promise<PersonalAgent>
  /** A registered personal agent that the Provider has disabled. Undefined: not tested. */
  disabledPersonalAgent: PersonalAgent | undefined
  /** What an ordinary message says. */
  messageText: string
  /** A text that makes the Brand's agent end the conversation. Undefined: not tested. */
  closingText: string | undefined
  /** A text on which the Brand's agent fails, or never answers. Undefined: not tested. */
  failingText: string | undefined
  /** A text for which the Brand's agent needs a scope (§5.5). Undefined: not tested. */
  delegatedText: string | undefined
  /** The program that signs in at the Brand and decides (§5.3). Undefined: what needs a token is not tested. */
  brandLogin: string | undefined
  /** How many requests to send in a row to meet a 429. Undefined: none is provoked. */
  rateLimitBurst: number | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/** The environment does not say which Provider to test. The message is one line, for the person who runs the suite. */
export class EnvironmentError extends Error {
  override name = 'EnvironmentError'
}

function optional(environment: Environment, name: string): string | undefined {
  return environment[name] || undefined
}

function required(environment: Environment, name: string): string {
  const value = optional(environment, name)
  if (value === undefined) {
    throw new EnvironmentError(`${name} is missing: e2e/conformance/README.md lists the variables`)
  }
  return value
}

function readUrl(environment: Environment, name: string): string {
  const text = required(environment, name)
  const protocol = URL.canParse(text) ? new URL(text).protocol : ''
  if (protocol === 'http:' || protocol === 'https:') return text.replace(/\/+$/, '')
  throw new EnvironmentError(`${name} must be a URL that starts with https:// or http://`)
}

/** The algorithm of §3.2 that a key signs with; undefined when it can't sign any. */
function algorithmOf(jwk: JWK): 'ES256' | 'RS256' | undefined {
  if (jwk.kty === 'EC' && jwk.crv === 'P-256') return 'ES256'
  return jwk.kty === 'RSA' ? 'RS256' : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readPrivateJwk(environment: Environment, name: string): JWK {
  const parsed = parseJson(required(environment, name))
  if (!isRecord(parsed)) throw new EnvironmentError(`${name} must be a JWK, written as JSON`)
  const jwk: JWK = parsed
  const alg = algorithmOf(jwk)
  if (!alg) throw new EnvironmentError(`${name} must be an EC P-256 or an RSA key`)
  try {
    createPrivateKey({ key: { ...jwk }, format: 'jwk' })
  } catch {
    throw new EnvironmentError(`${name} must be a whole private key: its private or public members are wrong`)
  }
  return { ...jwk, alg }
}

function readPersonalAgent(environment: Environment, prefix: string): PersonalAgent {
  return {
    issuer: required(environment, `${prefix}_ISSUER`),
    privateJwk: readPrivateJwk(environment, `${prefix}_PRIVATE_JWK`),
  }
}

/** Neither variable: undefined. One of the two: an error, as the other was forgotten. */
function findPersonalAgent(environment: Environment, prefix: string): PersonalAgent | undefined {
  const names = [`${prefix}_ISSUER`, `${prefix}_PRIVATE_JWK`]
  if (names.every((name) => optional(environment, name) === undefined)) return undefined
  return readPersonalAgent(environment, prefix)
}

function readBurst(environment: Environment): number | undefined {
  const text = optional(environment, 'RATE_LIMIT_BURST')
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new EnvironmentError('RATE_LIMIT_BURST must be a whole number')
  return Number(text)
}

function readProgram(environment: Environment, name: string): string | undefined {
  const path = optional(environment, name)
  if (path === undefined || existsSync(path)) return path && resolve(path)
  throw new EnvironmentError(`${name} is not the path of a program: ${path}`)
}

/**
 * Which Provider to test.
 *
 * @returns undefined when `E2E_PROVIDER` is not set: the suite then starts its own Provider
 * @throws EnvironmentError naming the first variable that is missing or wrong
 */
export function readTarget(environment: Environment): Target | undefined {
  const kind = optional(environment, 'E2E_PROVIDER')
  if (kind === undefined) return undefined
  if (kind !== 'any') throw new EnvironmentError('E2E_PROVIDER must be "any", or not set')
  const target = {
    providerUrl: readUrl(environment, 'PROVIDER_URL'),
    brandId: required(environment, 'BRAND_ID'),
    otherBrandId: required(environment, 'OTHER_BRAND_ID'),
    personalAgent: readPersonalAgent(environment, 'PA'),
    audience: required(environment, 'PA_AUDIENCE'),
    otherPersonalAgent: findPersonalAgent(environment, 'PA2'),
    disabledPersonalAgent: findPersonalAgent(environment, 'DISABLED_PA'),
    messageText: optional(environment, 'MESSAGE_TEXT') ?? 'Hello',
    closingText: optional(environment, 'CLOSING_TEXT'),
    failingText: optional(environment, 'FAILING_TEXT'),
    delegatedText: optional(environment, 'DELEGATED_TEXT'),
    brandLogin: readProgram(environment, 'BRAND_LOGIN'),
    rateLimitBurst: readBurst(environment),
  }
  if (target.brandId !== target.otherBrandId) return target
  throw new EnvironmentError('OTHER_BRAND_ID must be another Brand than BRAND_ID')
}
