import { randomUUID } from 'node:crypto'
import type { ReceiptClaims } from '#lib/delegation/receipts.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { sumDays } from './daily-sums.ts'
import { buildDelegation } from './delegating-brand.ts'
import { BRAND_ID, OTHER_BRAND_ID } from './provision.ts'

const MINUTE = 60_000
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE)

/** Characters that must never act on a page. */
export const DECEPTIVE = 'user\u202Egnp.exe<script>'

async function anyPersonalAgent(): Promise<{ id: string; issuer: string }> {
  return prisma().personalAgent.findFirstOrThrow({ where: { name: 'first' } })
}

async function storeReceipt(
  ids: { grantId: string; conversationId: string; messageId: string },
  { actions = [], scopesUsed = [] }: Partial<ReceiptClaims>,
  issuedAt: Date,
): Promise<string> {
  const claims: ReceiptClaims = {
    grantId: ids.grantId,
    user: 'jane-4471',
    pa: (await anyPersonalAgent()).issuer,
    brand: `https://provider.example/a2a/${BRAND_ID}`,
    scopesUsed,
    actions,
    ts: issuedAt.toISOString(),
  }
  const text = JSON.stringify(claims)
  const jws = `e30.${Buffer.from(text).toString('base64url')}.${randomUUID()}`
  await prisma().receipt.create({
    data: { brandId: BRAND_ID, ...ids, jws, claims: JSON.parse(text), issuedAt },
  })
  return jws
}

/** Stores a live grant of the first Brand, or of another. @returns its id */
export async function storeGrant(grant: Partial<Prisma.GrantUncheckedCreateInput> = {}): Promise<string> {
  const { id } = await prisma().grant.create({
    data: {
      id: `a2agrant_${randomUUID()}`,
      brandId: BRAND_ID,
      personalAgentId: (await anyPersonalAgent()).id,
      subject: randomUUID(),
      brandUserId: 'jane-4471',
      scopes: ['orders:read', 'orders:cancel'],
      createdAt: ago(60),
      expiresAt: new Date(Date.now() + 30 * 24 * 60 * MINUTE),
      ...grant,
    },
  })
  return id
}

/** What a consent page said, as it is stored with the decision. */
const shown = {
  language: 'en',
  personalAgent: { name: 'first', origin: 'https://pa.example' },
  account: { id: 'jane-4471', name: 'Jane' },
  userCode: 'WDJB-MJHT',
  scopes: [
    { id: 'orders:read', description: 'Look up your orders', requested: true, allowedBefore: false },
    { id: 'orders:cancel', description: 'Cancel an order', requested: true, allowedBefore: false },
    { id: 'refunds:issue', description: 'Refund an order', requested: true, allowedBefore: false },
  ],
  texts: {
    title: 'Let first use your Loom & Thread account?',
    lead: 'first asks Loom & Thread for permission to act for you.',
    warning: 'Continue only if you started this yourself in first.',
    identity: 'Verified: this assistant is registered with Test Provider.',
    requested: 'It asks to',
    duration: 'What you allow holds for 30 days, or until you withdraw it.',
    noneChecked: 'Uncheck whatever you do not want.',
    allow: 'Allow what is checked',
    deny: 'Do not allow',
  },
}

/** Stores a grant with consent, history and tokens. @returns its id */
export async function storeGrantWithHistory(): Promise<string> {
  const grantId = await storeGrant({ subject: DECEPTIVE, lastUsedAt: ago(3) })
  const scopes = ['orders:read', 'orders:cancel']
  const of = { brandId: BRAND_ID, grantId }
  await prisma().grantChange.create({
    data: { ...of, at: ago(60), kind: 'approved', by: 'user', scopesBefore: [], scopesAfter: scopes },
  })
  await prisma().consentDecision.create({
    data: {
      ...of,
      deviceAuthorizationId: randomUUID(),
      brandUserId: 'jane-4471',
      approved: true,
      shown,
      scopes,
      decidedAt: ago(60),
    },
  })
  const token = { ...of, scopes, expiresAt: new Date(Date.now() + 60 * MINUTE) }
  const hash = () => new Uint8Array(Buffer.from(randomUUID()))
  await prisma().refreshToken.create({
    data: { ...token, tokenHash: hash(), issuedAt: ago(59), usedAt: ago(10) },
  })
  await prisma().refreshToken.create({ data: { ...token, tokenHash: hash(), issuedAt: ago(10) } })
  return grantId
}

async function storeConversation(brandId: string, more: object = {}): Promise<string> {
  const personalAgentId = (await anyPersonalAgent()).id
  const { id } = await prisma().conversation.create({
    data: {
      id: randomUUID(),
      brandId,
      personalAgentId,
      subject: DECEPTIVE,
      createdAt: ago(9),
      lastActiveAt: ago(1),
      ...more,
    },
  })
  return id
}

/** Stores a conversation with step-ups, without a token and with one, tool calls and an unanswered message, and one of the other Brand. */
export async function storeConversations(grantId: string): Promise<{ own: string; foreign: string }> {
  const own = await storeConversation(BRAND_ID, { brandUserId: 'jane-4471' })
  const message = (messageId: string, text: string, minutes: number, reply: object = {}) =>
    prisma().message.create({
      data: { brandId: BRAND_ID, conversationId: own, messageId, text, receivedAt: ago(minutes), ...reply },
    })
  const of = { grantId, conversationId: own }
  const said = (replyText: string, minutes: number, jws?: string) => ({
    replyId: randomUUID(),
    replyText,
    repliedAt: new Date(ago(minutes).getTime() + 840),
    ...(jws ? { receipt: { jws } } : {}),
  })
  await message('m-1', 'Hello,\nI need help with my order.', 8, said('Sure, what is the order number?', 8))
  const asked = ago(7)
  await storeReceipt({ ...of, messageId: 'm-2' }, {}, asked)
  const step = { brandId: BRAND_ID, conversationId: own, messageId: 'm-2' }
  await prisma().stepUp.create({ data: { ...step, missingScopes: ['orders:read'], createdAt: ago(7.5) } })
  await prisma().stepUp.create({ data: { ...step, missingScopes: ['orders:cancel'], createdAt: asked } })
  const actions = [{ tool: 'lookup_orders' }, { tool: 'cancel_order', argsHash: 'q1Zv3NmS0cXk8uYb2w' }]
  const scopesUsed = ['orders:read']
  const jws = await storeReceipt({ ...of, messageId: 'm-2' }, { actions, scopesUsed }, ago(5))
  await message('m-2', `Cancel A-88213 for ${DECEPTIVE}`, 6, said('Order A-88213 is cancelled.', 6, jws))
  await message('m-3', 'Are you still there?', 2)
  const foreign = await storeConversation(OTHER_BRAND_ID)
  return { own, foreign }
}

/** Stores what went through in the last day, and what was refused: known and unknown personal agents. */
export async function storeTraffic(personalAgentId: string): Promise<void> {
  const hour = (ago: number) => new Date(Math.floor(Date.now() / 3_600_000 - ago) * 3_600_000)
  const counts = { message: 40, step_up: 6, consent_approved: 4, 'turn:100': 30, 'turn:500': 10 }
  for (let back = 0; back < 20; back++) {
    const of = { hour: hour(back), brandId: BRAND_ID, personalAgentId }
    await prisma().trafficHour.createMany({
      data: Object.entries(counts).map(([kind, count]) => ({
        ...of,
        kind,
        count: count + ((back * 7) % 13),
      })),
    })
  }
  const stranger = {
    personalAgentId: '',
    issuer: `https://stranger.example/${DECEPTIVE}`,
    reason: 'unknown_issuer',
  }
  const known = { personalAgentId, issuer: '', reason: 'jwks_unreachable' }
  for (const [minutes, of] of [
    [2, stranger],
    [9, known],
  ] as const) {
    const { issuer: _issuer, ...who } = of
    const at = ago(minutes)
    await prisma().refusal.create({ data: { ...of, brandId: BRAND_ID, minute: at, at, count: 3 } })
    await prisma().refusedRequests.create({ data: { ...who, hour: hour(0), count: 30 } })
  }
  for (const statement of sumDays) await pool().query(statement)
  const look = { brandId: BRAND_ID, jwksUri: buildDelegation().login.jwksUri, fault: 'jwks_unreachable' }
  await prisma().loginKeysLook.create({ data: { ...look, at: ago(3) } })
}
