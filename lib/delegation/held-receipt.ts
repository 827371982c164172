import { isMap } from '#lib/platform/json-map.ts'
import type { HeldReceipt } from './verify-receipt.ts'

/** The receipt in what somebody kept: itself, a message or task with it in its `metadata`, or a whole answer. */
function findHeld(value: unknown): HeldReceipt | undefined {
  if (!isMap(value)) return undefined
  if (typeof value.jws === 'string') return { jws: value.jws, claims: value.claims }
  const inside = [value['pact.receipt'], value.metadata, value.message, value.task]
  return inside.map(findHeld).find((found) => found !== undefined)
}

export type FoundReceipt = { ok: true; held: HeldReceipt } | { ok: false; fault: string }

/**
 * Finds the receipt in `content`: a compact JWS, or JSON that holds one. Nothing of it is verified.
 *
 * @returns a fault as a whole sentence where there is none
 */
export function findHeldReceipt(content: string): FoundReceipt {
  const trimmed = content.trim()
  if (!trimmed.startsWith('{')) return { ok: true, held: { jws: trimmed, claims: undefined } }
  let held: HeldReceipt | undefined
  try {
    held = findHeld(JSON.parse(trimmed))
  } catch {
    return { ok: false, fault: 'This is neither a compact JWS nor JSON.' }
  }
  if (held) return { ok: true, held }
  return { ok: false, fault: 'There is no receipt in this: no "jws", and no "pact.receipt".' }
}

/** The id of this Provider's Brand that a receipt names; undefined: it names somebody else's. */
export function findOwnBrandId({ brand }: { brand: string }, providerUrl: string): string | undefined {
  const prefix = `${providerUrl}/a2a/`
  const brandId = brand.startsWith(prefix) ? brand.slice(prefix.length) : ''
  return /^[0-9A-Z]+$/.test(brandId) ? brandId : undefined
}
