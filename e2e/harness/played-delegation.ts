import { randomUUID } from 'node:crypto'
import type { Delegation, Owner } from '#lib/conversations/conversation.ts'
import { prisma } from '#lib/platform/database.ts'

/** What a turn runs with under a delegation token of Jane's, whose receipts nobody has really signed. */
export function playDelegation(...scopes: string[]): Delegation {
  const held = new Set(scopes)
  return {
    grantId: 'grant-jane',
    access: { brandUserId: 'jane', scopes: held, token: 'a.b.c', scopesNow: async () => held },
    buildClaims: (done) => ({ grantId: 'grant-jane', user: 'jane', pa: 'p', brand: 'b', ts: 't', ...done }),
    async signReceipt(claims) {
      return { jws: `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${randomUUID()}`, claims }
    },
  }
}

/** Stores the grant of {@link playDelegation}, good for an hour. */
export async function storePlayedGrant(owner: Owner, ...scopes: string[]): Promise<void> {
  const expiresAt = new Date(Date.now() + 3_600_000)
  await prisma().grant.create({
    data: { ...owner, id: 'grant-jane', brandUserId: 'jane', scopes, expiresAt },
  })
}
