import { isDeepStrictEqual } from 'node:util'
import { compactVerify, createRemoteJWKSet, errors } from 'jose'
import { z } from 'zod'
import type { SentReceipt } from './conversation.ts'
import { Problem } from './problem.ts'

const claimsSchema = z.object({
  grantId: z.string(),
  user: z.string(),
  pa: z.string(),
  brand: z.string(),
  scopesUsed: z.array(z.string()),
  actions: z.array(z.object({ tool: z.string(), argsHash: z.string().optional() })),
  ts: z.iso.datetime(),
})

/** What a receipt states (§5.6). */
export type ReceiptClaims = z.infer<typeof claimsSchema>

/** Verifies a receipt. @throws Problem when it is not genuine */
export type VerifyReceipt = (receipt: SentReceipt) => Promise<ReceiptClaims>

/**
 * A verifier of a Brand's receipts (§5.6): the signature, by a key that the Brand's metadata links; that the claims beside it
 * are the signed ones; and that they are about this personal agent and this Brand.
 */
export function createReceiptVerifier(
  jwksUri: string,
  expected: { pa: string; brand: string },
): VerifyReceipt {
  const keys = createRemoteJWKSet(new URL(jwksUri))
  return async ({ jws, claims }) => {
    const signed = await verify(jws, keys)
    const parsed = claimsSchema.safeParse(signed)
    if (!parsed.success) throw forged('what it states is not a receipt')
    if (!isDeepStrictEqual(signed, claims)) throw forged('the claims beside it are not the signed ones')
    if (parsed.data.pa !== expected.pa) throw forged('it is about another personal agent')
    if (parsed.data.brand !== expected.brand) throw forged('it is about another Brand')
    return parsed.data
  }
}

async function verify(jws: string, keys: ReturnType<typeof createRemoteJWKSet>): Promise<unknown> {
  try {
    const { payload } = await compactVerify(jws, keys, { algorithms: ['ES256', 'RS256'] })
    return JSON.parse(new TextDecoder().decode(payload))
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError || cause instanceof SyntaxError || cause instanceof TypeError))
      throw cause
    throw forged('its signature is not one of the Brand’s')
  }
}

function forged(why: string): Problem {
  return new Problem(`The receipt is not genuine: ${why}.`, 'Do not trust this reply; tell the Brand.')
}
