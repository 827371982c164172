import type { JWK } from 'jose'
import { config } from '#lib/platform/config.ts'
import { prisma } from '#lib/platform/database.ts'
import { findHeldReceipt, findOwnBrandId } from './held-receipt.ts'
import { findSignatureFault, readReceipt, type VerifiedClaims } from './verify-receipt.ts'

/** The longest text that is looked at, in UTF-16 units. */
export const LONGEST_RECEIPT = 64 * 1024

/** What a receipt that somebody holds proves; or why it proves nothing, and what it says of itself, as far as it can be read. */
export type ReceiptVerdict =
  | { ok: true; brandName: string; kid: string; claims: VerifiedClaims }
  | { ok: false; because: 'unreadable'; detail: string }
  | { ok: false; because: 'elsewhere'; claims: VerifiedClaims }
  | {
      ok: false
      because: 'unknown-brand' | 'unknown-key' | 'removed-key' | 'compromised-key' | 'signature'
      claims: VerifiedClaims
    }

type Unproven = Extract<ReceiptVerdict, { ok: false }>

/** Every key of ours is named so, and every receipt names its key. */
const KID = /^[\w-]{43}$/

async function listKeys(brandId: string, kid: string) {
  return prisma().signingKey.findMany({
    where: { brandId, id: kid },
    select: { id: true, state: true, publicJwk: true },
  })
}

function findKeyFault(states: readonly string[]): Exclude<Unproven['because'], 'unreadable'> | undefined {
  if (states.length === 0) return 'unknown-key'
  if (states.every((state) => state === 'compromised')) return 'compromised-key'
  return states.every((state) => state === 'removed' || state === 'compromised') ? 'removed-key' : undefined
}

/**
 * Verifies a receipt (§5.6) that anybody holds, by the keys that its Brand publishes here. Stores nothing.
 *
 * @param content a compact JWS, or JSON that holds a receipt: at most {@link LONGEST_RECEIPT}
 */
export async function checkHeldReceipt(content: string): Promise<ReceiptVerdict> {
  const found = findHeldReceipt(content.slice(0, LONGEST_RECEIPT))
  if (!found.ok) return { ok: false, because: 'unreadable', detail: found.fault }
  const read = readReceipt(found.held)
  if (!read.ok) return { ok: false, because: 'unreadable', detail: `This is not a receipt: ${read.fault}.` }
  const { claims, kid } = read.receipt
  const brandId = findOwnBrandId(claims, config().providerUrl)
  if (brandId === undefined) return { ok: false, because: 'elsewhere', claims }
  const brand = await prisma().brand.findUnique({ where: { id: brandId }, select: { name: true } })
  if (!brand) return { ok: false, because: 'unknown-brand', claims }
  if (kid === undefined || !KID.test(kid)) return { ok: false, because: 'unknown-key', claims }
  const keys = await listKeys(brandId, kid)
  const keyFault = findKeyFault(keys.map(({ state }) => state))
  if (keyFault) return { ok: false, because: keyFault, claims }
  const published = keys.filter(({ state }) => state !== 'removed' && state !== 'compromised')
  for (const { id, publicJwk } of published) {
    const fault = await findSignatureFault(found.held.jws, read.receipt, [publicJwk as JWK])
    if (!fault) return { ok: true, brandName: brand.name, kid: id, claims }
  }
  return { ok: false, because: 'signature', claims }
}
