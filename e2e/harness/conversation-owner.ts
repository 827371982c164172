import type { Owner } from '#lib/conversations/conversation.ts'
import { prisma } from '#lib/platform/database.ts'
import { BRAND_ID, OTHER_BRAND_ID } from './provision.ts'

/** Stores two Brands and a personal agent, and no more: whose User may talk to the first of them. */
export async function storeConversationOwner(): Promise<Owner> {
  const brand = { name: 'A Brand', description: 'Sells things.', agent: {} }
  await prisma().brand.createMany({ data: [BRAND_ID, OTHER_BRAND_ID].map((id) => ({ id, ...brand })) })
  const issuer = 'https://pa.example'
  const { id: personalAgentId } = await prisma().personalAgent.create({
    data: { issuer, jwksUri: `${issuer}/jwks`, name: 'A PA' },
  })
  return { brandId: BRAND_ID, personalAgentId, subject: 'user-1' }
}
