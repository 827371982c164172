import { compactVerify, generateKeyPair, importJWK, SignJWT } from 'jose'
import pg from 'pg'
import { config } from '#lib/platform/config.ts'
import type { FloorFacts } from './floor-facts.ts'

// What the floor's operations share: keys, and a pool of the product's size.

export const facts: FloorFacts = JSON.parse(process.env.BENCH_FLOOR ?? '{}')
export const pool = new pg.Pool({ connectionString: config().databaseUrl, max: config().databasePool })

const agentKey = await importJWK(facts.jwk, 'ES256')
const brandKey = facts.delegationJwk && (await importJWK(facts.delegationJwk, 'ES256'))
/** Nobody verifies what the floor signs: a key of its own costs as much as the Brand's. */
const { privateKey } = await generateKeyPair('ES256')

type Claims = Record<string, string>

async function verify(header: string | undefined, key: typeof agentKey): Promise<Claims> {
  const { payload } = await compactVerify((header ?? '').slice('Bearer '.length), key)
  return JSON.parse(Buffer.from(payload).toString())
}

/** @returns the `sub` of a personal-agent JWT */
export async function verifyAgentToken(header: string | undefined): Promise<string> {
  return (await verify(header, agentKey)).sub ?? ''
}

/** @returns the claims of a delegation token */
export async function verifyDelegation(header: string | undefined): Promise<Claims> {
  if (!brandKey) throw new Error('The floor has no key of a Brand')
  return verify(header, brandKey)
}

/** Signs claims, one ES256 signature. */
export function sign(claims: Record<string, unknown>): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'floor' }).sign(privateKey)
}
