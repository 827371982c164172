import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { FlattenedSign } from 'jose'
import { LRUCache } from 'lru-cache'
import { authorizationServer } from '#lib/brands/addresses.ts'
import { tokenTypes } from '#lib/identity/token-types.ts'
import { getSigner, type Signer } from '#lib/keys/signer.ts'
import { processState } from '#lib/platform/process-state.ts'

/** A2A 1.0, `AgentCardSignature`: a JWS without its payload. */
export type CardSignature = { protected: string; signature: string }

/** A card, or a part of one. */
type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [key: string]: Json }
type Members = { readonly [key: string]: Json }

const ENTRIES = 1_000

/** Required by A2A 1.0, so that they stay in the canonical form even when they are empty. */
const REQUIRED_LISTS = new Set(['skills', 'tags'])

function isMembers(value: Json): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A2A 1.0 §8.4.1: fields that hold their default value are left out, unless they are required. */
function withoutDefaults(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutDefaults)
  if (!isMembers(value)) return value
  const kept = Object.entries(value).filter(
    ([key, member]) => !Array.isArray(member) || member.length > 0 || REQUIRED_LISTS.has(key),
  )
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutDefaults(member)]))
}

function isEmpty(value: Json): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}

/** As the A2A project's own SDKs do it: without anything that is empty, or has become so. */
function withoutEmpty(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutEmpty).filter((entry) => !isEmpty(entry))
  if (!isMembers(value)) return value
  const members = Object.entries(value).map(([key, member]) => [key, withoutEmpty(member)] as const)
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)))
}

/**
 * The two canonical forms of a card (A2A 1.0 §8.4.1, RFC 8785). The A2A project's SDKs leave out more than its
 * specification says, security requirements without scopes among it: each form is signed, and a verifier of either kind
 * finds the signature that it can verify.
 *
 * @param card without `signatures`
 * @returns what the SDKs make of it, then what the specification does
 */
export function canonicalForms(card: object): string[] {
  const json: Json = JSON.parse(JSON.stringify(card))
  const forms = [withoutEmpty(json), withoutDefaults(json)].map((form) => canonicalize(form) ?? '')
  return [...new Set(forms)]
}

async function sign(form: string, { kid, alg, privateKey }: Signer, jku: string): Promise<CardSignature> {
  const jws = await new FlattenedSign(new TextEncoder().encode(form))
    .setProtectedHeader({ alg, kid, typ: tokenTypes.card, jku })
    .sign(privateKey)
  return { protected: jws.protected ?? '', signature: jws.signature }
}

function known() {
  return processState(
    'card-signatures',
    () => new LRUCache<string, Promise<CardSignature[]>>({ max: ENTRIES }),
  )
}

/**
 * Signs a Brand's card with its active key (A2A 1.0 §8.4.2). The same card and key get the same signatures in one process,
 * so that the card's `ETag` stays.
 *
 * @param card without `signatures`
 * @throws as {@link getSigner}
 */
export async function signAgentCard(card: object, brandId: string): Promise<CardSignature[]> {
  const signer = await getSigner(brandId)
  const { jwksUri } = authorizationServer(brandId)
  const key = createHash('sha256')
    .update(`${signer.kid} ${jwksUri} ${JSON.stringify(card)}`)
    .digest('base64')
  const made = known().get(key)
  if (made) return made
  const signatures = Promise.all(canonicalForms(card).map((form) => sign(form, signer, jwksUri)))
  known().set(key, signatures)
  signatures.catch(() => known().delete(key))
  return signatures
}
