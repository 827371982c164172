import { randomUUID } from 'node:crypto'
import { interfaceUrl } from '#lib/brands/addresses.ts'
import { createFirstKey } from '#lib/keys/first-key.ts'
import { prisma } from '#lib/platform/database.ts'
import { emailOf } from './console-users.ts'

/** Ids of one thing of each kind that a Brand has. */
export type BrandThings = Record<
  'brand' | 'auditEvent' | 'conversation' | 'grant' | 'receipt' | 'key' | 'member' | 'personalAgent',
  string
>

/** Stores one of everything for a Brand that the test provision has made. @param member who belongs to it alone */
export async function storeThings(brandId: string, member: 'manager' | 'otherManager'): Promise<BrandThings> {
  const { id: personalAgentId, issuer } = await prisma().personalAgent.findFirstOrThrow({
    where: { name: 'first' },
  })
  const of = { brandId, personalAgentId, subject: 'somebody' }
  const conversation = await prisma().conversation.create({ data: { id: randomUUID(), ...of } })
  const grant = await prisma().grant.create({
    data: {
      id: `grant_${randomUUID()}`,
      ...of,
      brandUserId: 'jane',
      scopes: ['orders:read'],
      expiresAt: new Date(Date.now() + 86_400_000),
    },
  })
  const claims = {
    grantId: grant.id,
    user: 'jane',
    pa: issuer,
    brand: interfaceUrl(brandId),
    scopesUsed: [],
    actions: [],
    ts: '2026-01-01T00:00:00Z',
  }
  const jws = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${randomUUID()}`
  const receipt = await prisma().receipt.create({
    data: { brandId, grantId: grant.id, conversationId: conversation.id, messageId: 'm', jws, claims },
  })
  await createFirstKey(brandId)
  const key = await prisma().signingKey.findFirstOrThrow({ where: { brandId } })
  const event = await prisma().auditEvent.findFirstOrThrow({ where: { brandId } })
  const user = await prisma().consoleUser.findUniqueOrThrow({ where: { email: emailOf(member) } })
  return {
    brand: brandId,
    auditEvent: String(event.id),
    conversation: conversation.id,
    grant: grant.id,
    receipt: String(receipt.id),
    key: key.id,
    member: user.id,
    personalAgent: personalAgentId,
  }
}
