import { randomUUID } from 'node:crypto'
import type { Delegation } from '#lib/conversations/conversation.ts'

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
