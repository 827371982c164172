import { randomUUID } from 'node:crypto'
import { buildClaims, signReceipt } from '#lib/delegation/sign-receipt.ts'
import { config } from '#lib/platform/config.ts'
import { prisma } from '#lib/platform/database.ts'
import { storeGrant } from './console-traffic.ts'
import { buildDelegation } from './delegating-brand.ts'
import { BRAND_ID } from './provision.ts'

const actions = [{ tool: 'lookup_orders' }, { tool: 'cancel_order', argsHash: 'q1Zv3NmS0cXk8uYb2w' }]

export type StoredReceipt = { id: string; jws: string; grantId: string; conversationId: string }

/**
 * Stores a receipt as a turn leaves it, signed with the Brand's key, beside the message that it answers.
 *
 * @param url of the Provider that serves
 */
export async function storeSignedReceipt(url: string, brandId: string = BRAND_ID): Promise<StoredReceipt> {
  config().providerUrl = url
  // Only a Brand with delegation publishes its keys.
  const { scopes: _scopes, ...delegation } = buildDelegation()
  await prisma().brand.update({ where: { id: brandId }, data: { delegation } })
  const { id: personalAgentId, issuer } = await prisma().personalAgent.findFirstOrThrow({
    where: { name: 'first' },
  })
  const grantId = await storeGrant({ brandId })
  const facts = { brandId, grantId, brandUserId: 'jane-4471', personalAgentIssuer: issuer }
  const told = buildClaims({ ...facts, scopesUsed: ['orders:read', 'orders:cancel'], actions })
  const { jws, claims } = await signReceipt(brandId, told)
  const owner = { brandId, personalAgentId, subject: randomUUID(), brandUserId: 'jane-4471' }
  const { id: conversationId } = await prisma().conversation.create({
    data: { id: randomUUID(), ...owner },
  })
  const reply = { replyId: randomUUID(), replyText: 'It is cancelled.', repliedAt: new Date() }
  await prisma().message.create({
    data: { brandId, conversationId, messageId: 'm-1', text: 'Cancel it.', ...reply, receipt: { jws } },
  })
  const { id } = await prisma().receipt.create({
    data: {
      brandId,
      grantId,
      conversationId,
      messageId: 'm-1',
      jws,
      claims: JSON.parse(JSON.stringify(claims)),
    },
  })
  return { id: String(id), jws, grantId, conversationId }
}
