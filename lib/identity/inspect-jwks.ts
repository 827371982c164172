import { calculateJwkThumbprint, exportJWK } from 'jose'
import { now } from '#lib/platform/clock.ts'
import { fetchJwks, type JwksDetail, type JwksFault } from './fetch-jwks.ts'
import { type KeyFault, readVerificationKey, type VerificationKey } from './jwk-import.ts'
import { jwksLimits } from './jwks.ts'

/** What is not right about a key that works all the same. */
export type KeyWarning =
  /** The private part is published: whoever reads the JWKS can sign with it. */
  | 'private'
  /** Without a `kid` every such key is tried, few of them. */
  | 'no_kid'
  /** Another key before it has the same `kid` and algorithm. */
  | 'same_kid'

/** A member of a JWKS, as it says itself. Texts are others' and not checked. */
export type InspectedKey = {
  kid: string | undefined
  type: string
  alg: string | undefined
  use: string | undefined
  /** Of an RSA key. */
  bits: number | undefined
  /** RFC 7638, SHA-256, base64url; of a key that works. */
  thumbprint: string | undefined
  /** When it was made, where the JWKS says so (`iat`, not a registered member). */
  issuedAt: Date | undefined
  fault: KeyFault | undefined
  warnings: KeyWarning[]
}

export type InspectedJwks = { at: Date; milliseconds: number } & (
  | { ok: true; keys: InspectedKey[] }
  | { ok: false; fault: JwksFault; detail: JwksDetail; status: number | undefined }
)

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function typeOf(jwk: Readonly<Record<string, unknown>>): string {
  return [jwk.kty, jwk.crv].filter((part) => typeof part === 'string').join(' ')
}

function issuedAtOf({ iat }: Readonly<Record<string, unknown>>): Date | undefined {
  if (typeof iat !== 'number') return undefined
  const at = new Date(iat * 1000)
  return Number.isNaN(at.getTime()) ? undefined : at
}

function bitsOf({ key: { algorithm } }: VerificationKey): number | undefined {
  return 'modulusLength' in algorithm ? Number(algorithm.modulusLength) : undefined
}

async function inspectMember(member: unknown): Promise<InspectedKey> {
  const read = await readVerificationKey(member)
  const jwk = (typeof member === 'object' && member !== null ? member : {}) as Record<string, unknown>
  const works = 'fault' in read ? undefined : read
  return {
    kid: textOf(jwk.kid),
    type: typeOf(jwk),
    alg: textOf(jwk.alg) ?? works?.alg,
    use: textOf(jwk.use),
    bits: works && bitsOf(works),
    thumbprint: works && (await calculateJwkThumbprint(await exportJWK(works.key))),
    issuedAt: issuedAtOf(jwk),
    fault: 'fault' in read ? read.fault : undefined,
    warnings: PRIVATE_MEMBERS.some((name) => Object.hasOwn(jwk, name)) ? ['private'] : [],
  }
}

/** What only the keys together show. */
function compareKids(keys: InspectedKey[]): InspectedKey[] {
  const seen = new Set<string>()
  return keys.map((key) => {
    if (key.fault) return key
    const id = `${key.alg} ${key.kid}`
    const more: KeyWarning[] = key.kid === undefined ? ['no_kid'] : seen.has(id) ? ['same_kid'] : []
    seen.add(id)
    return { ...key, warnings: [...key.warnings, ...more] }
  })
}

/**
 * Fetches a personal agent's JWKS now (§3.1) and looks at each of its keys, as a request would use them. What requests are
 * verified with does not change. Never rejects.
 */
export async function inspectJwks(jwksUri: string): Promise<InspectedJwks> {
  const at = new Date(now())
  const begun = performance.now()
  const fetched = await fetchJwks(jwksUri)
  const milliseconds = Math.round(performance.now() - begun)
  if ('fault' in fetched) return { at, milliseconds, ok: false, ...fetched }
  return {
    at,
    milliseconds,
    ok: true,
    keys: compareKids(await Promise.all(fetched.members.map(inspectMember))),
  }
}

/** How many keys without a `kid` are tried for one token. */
export const triedWithoutKid = jwksLimits.candidates
