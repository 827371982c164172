import { randomUUID } from 'node:crypto'
import { Agent, request } from 'undici'
import { ORDERS_TOOL, SCOPE } from './delegating-brand.ts'
import { facts, pool, sign, verifyDelegation } from './floor-parts.ts'
import {
  answerNextStatement,
  beginAnsweredStatement,
  beginStatement,
  nextTurnStatement,
  settleDelegatedStatement,
} from './floor-statements.ts'
import { BRAND_ID, DELEGATING_BRAND_ID } from './provision.ts'

const TURN_TIME = 25_000
const IDLE_TIME = 86_400_000
const REPLY = 'Sure, what is the order number? It is in the mail that confirmed your order.'

/** As many connections as the product opens. */
const calls = new Agent({ connections: 64, pipelining: 1, keepAliveTimeout: 10_000 })

type Message = { messageId: string; contextId?: string; parts: { text: string }[] }
type Turn = { brandId: string; turnId: string; contextId: string; messageRow: string }

const textOf = ({ parts }: Message) => parts.map((part) => part.text).join('\n')

async function claim(
  owner: { brandId: string; subject: string; brandUserId: string },
  message: Message,
): Promise<Turn> {
  const turnId = randomUUID()
  const contextId = message.contextId ?? randomUUID()
  const { brandId, subject, brandUserId } = owner
  const who = [contextId, brandId, facts.personalAgentId, subject]
  const values = [...who, turnId, TURN_TIME, message.messageId, textOf(message), brandUserId]
  const { rows } = await pool.query(
    message.contextId === undefined
      ? { ...beginStatement, values }
      : { ...nextTurnStatement, values: [...values, IDLE_TIME] },
  )
  return { brandId, turnId, contextId, messageRow: String(rows[0]?.messageRow) }
}

function settleValues({ contextId, brandId, turnId, messageRow }: Turn, reply: string): unknown[] {
  return [contextId, brandId, turnId, '{}', false, messageRow, reply]
}

function buildReply(
  { turnId, contextId }: Pick<Turn, 'turnId' | 'contextId'>,
  text: string,
  receipt?: object,
) {
  const message = { messageId: turnId, contextId, role: 'ROLE_AGENT', parts: [{ text }] }
  return { message: receipt ? { ...message, metadata: { 'pact.receipt': receipt } } : message }
}

/** `message:send` under §3: the statement that stores message and reply. */
export async function takePlainTurn(subject: string, message: Message): Promise<object> {
  const turnId = randomUUID()
  const contextId = message.contextId ?? randomUUID()
  const who = [contextId, BRAND_ID, facts.personalAgentId, subject]
  const values = [...who, message.messageId, textOf(message), turnId, '{}', REPLY]
  const { rowCount } = await pool.query(
    message.contextId === undefined
      ? { ...beginAnsweredStatement, values }
      : { ...answerNextStatement, values: [...values, IDLE_TIME] },
  )
  if (rowCount !== 1) throw new Error('The message was not stored')
  return buildReply({ turnId, contextId }, REPLY)
}

async function askApi(token: string): Promise<string> {
  const headers = { accept: 'application/json', authorization: token }
  const { body } = await request(`${facts.api}/orders`, { dispatcher: calls, headers })
  const { orders } = (await body.json()) as { orders: { number: string; status: string }[] }
  return orders.map(({ number, status }) => `${number} is ${status}. `).join('')
}

/** `message:send` under §5: the second verification, the statements, one call, one signature. */
export async function takeDelegatedTurn(subject: string, message: Message, token: string): Promise<object> {
  const { sub: user = '', grant_id: grantId = '' } = await verifyDelegation(token)
  const turn = await claim({ brandId: DELEGATING_BRAND_ID, subject, brandUserId: user }, message)
  const reply = await askApi(token)
  const claims = {
    grantId,
    user,
    pa: facts.issuer,
    brand: DELEGATING_BRAND_ID,
    scopesUsed: [SCOPE],
    actions: [{ tool: ORDERS_TOOL }],
    ts: new Date().toISOString(),
  }
  const jws = await sign(claims)
  const receipt = [grantId, message.messageId, jws, JSON.stringify(claims)]
  await pool.query({ ...settleDelegatedStatement, values: [...settleValues(turn, reply), ...receipt] })
  return buildReply(turn, reply, { jws, claims })
}
