import { randomUUID } from 'node:crypto'
import { interfaceUrl } from '#lib/brands/addresses.ts'
import { signDelegationToken } from '#lib/delegation/delegation-token.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase, prisma } from '#lib/platform/database.ts'
import { handle } from '#lib/protocol/handle.ts'
import { applyProvision } from '#lib/provisioning/apply-provision.ts'
import { readProvision } from '#lib/provisioning/read-provision.ts'
import { startBrandApi, type TestBrandApi } from './brand-api.ts'
import { freshDatabase } from './database.ts'
import { buildOrderAgentProvision } from './order-agent-provision.ts'
import { playPersonalAgents, type TestPersonalAgent } from './personal-agents.ts'
import { BRAND_ID } from './provision.ts'
import { buildSendBody, signPaToken } from './wire.ts'

/** As which User of the Brand a test acts, when it does not matter. */
export const BRAND_USER = 'jane-4471'

export type DelegatedMessage = {
  subject: string
  /** The delegation token, or the whole header where it has a blank or is empty. */
  token?: string | undefined
  by?: TestPersonalAgent
  brandId?: string
  message?: Record<string, unknown>
  rawBody?: string
}

/** An answer: `content` is the body as it came, `body` what it says. */
export type Answered = Awaited<ReturnType<typeof send>>

async function post(
  agent: TestPersonalAgent,
  operation: 'message:send' | 'message:stream',
  text: string,
  sent: DelegatedMessage,
): Promise<Response> {
  const { subject, token, by = agent, brandId = BRAND_ID, message = {}, rawBody } = sent
  const headers = new Headers({
    Authorization: `Bearer ${await signPaToken(by, { sub: subject })}`,
    'Content-Type': 'application/json',
  })
  if (token !== undefined) {
    headers.set('X-A2A-User-Delegation', /\s|^$/.test(token) ? token : `Bearer ${token}`)
  }
  return handle(
    new Request(`${interfaceUrl(brandId)}/${operation}`, {
      method: 'POST',
      headers,
      body: rawBody ?? JSON.stringify(buildSendBody(text, message)),
    }),
  )
}

async function send(agent: TestPersonalAgent, text: string, sent: DelegatedMessage) {
  const response = await post(agent, 'message:send', text, sent)
  const content = await response.text()
  const body = content ? JSON.parse(content) : {}
  return { status: response.status, headers: response.headers, content, body }
}

/** Stores a grant as consent leaves it, for the personal agent's `subject`. @returns its id */
async function grant(agent: TestPersonalAgent, subject: string, scopes: string[], brandUserId: string) {
  const where = { issuer: agent.issuer }
  const { id: personalAgentId } = await prisma().personalAgent.findUniqueOrThrow({ where })
  const expiresAt = new Date(Date.now() + 3_600_000)
  const id = `a2agrant_${randomUUID()}`
  await prisma().grant.create({
    data: { id, brandId: BRAND_ID, personalAgentId, subject, brandUserId, scopes, expiresAt },
  })
  return id
}

/**
 * The protocol's handler on a database of its own, with the delegated test Brand, its API, and two personal agents: for
 * tests that send under delegation tokens without a server between.
 */
export async function startDelegatedSender() {
  const database = await freshDatabase()
  setDatabaseUrl(database.url)
  const api: TestBrandApi = await startBrandApi()
  const played = await playPersonalAgents(['first', 'second'])
  const [agent, otherAgent] = played.agents
  if (!agent || !otherAgent) throw new Error('no personal agents')
  const file = JSON.stringify(buildOrderAgentProvision(played.agents, { api: api.origin }))
  const read = readProvision(file, { file: 'test', allowLoopback: true })
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  await applyProvision(read.provision, { dryRun: false })

  const tokenFor = async (grantId: string, scopes: readonly string[], brandUserId = BRAND_USER) => {
    const options = { brandId: BRAND_ID, brandUserId, clientId: agent.issuer, scopes: [...scopes], grantId }
    return (await signDelegationToken(options)).token
  }
  return {
    api,
    agent,
    otherAgent,
    tokenFor,
    send: (text: string, sent: DelegatedMessage) => send(agent, text, sent),
    /** `message:stream`, its body still to be read. */
    stream: (text: string, sent: DelegatedMessage) => post(agent, 'message:stream', text, sent),
    grantTo: (subject: string, scopes: readonly string[], brandUserId = BRAND_USER) =>
      grant(agent, subject, [...scopes], brandUserId),
    /** A `sub` of its own that may do this, its grant, and a token for it. */
    async allow(...scopes: string[]) {
      const subject = randomUUID()
      const grantId = await grant(agent, subject, scopes, BRAND_USER)
      return { subject, grantId, token: await tokenFor(grantId, scopes) }
    },
    async close() {
      await played.close()
      await api.close()
      await closeDatabase()
      await database.drop()
    },
  }
}

export type DelegatedSender = Awaited<ReturnType<typeof startDelegatedSender>>
