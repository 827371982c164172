import { randomUUID } from 'node:crypto'
import { type Message, Role, type SendMessageRequest } from '@a2a-js/sdk'
import {
  type Client,
  ClientFactory,
  createAuthenticatingFetchWithRetry,
  DefaultAgentCardResolver,
  RestTransportFactory,
} from '@a2a-js/sdk/client'
import { importJWK, type JWK, SignJWT } from 'jose'
import type { TestProvider } from './provider.ts'

/** Signs as a personal agent does (§3.2), anew for each request. */
async function signToken(agent: { issuer: string; privateJwk: JWK }, audience: string): Promise<string> {
  const { alg = 'ES256', kid = '' } = agent.privateJwk
  return new SignJWT()
    .setProtectedHeader({ alg, kid })
    .setIssuer(agent.issuer)
    .setSubject('user-of-the-real-client')
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('120s')
    .sign(await importJWK(agent.privateJwk, alg))
}

/** `@a2a-js/sdk`'s client as published; only the token is ours. */
export async function connect({ url, brandId, audience, personalAgent }: TestProvider): Promise<Client> {
  const fetchImpl = createAuthenticatingFetchWithRetry(fetch, {
    headers: async () => ({ Authorization: `Bearer ${await signToken(personalAgent, audience)}` }),
    shouldRetryWithHeaders: async () => undefined,
  })
  const factory = new ClientFactory({
    transports: [new RestTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver(),
  })
  // The SDK resolves the card's path against this base: without the slash it would drop the Brand.
  return factory.createFromUrl(`${url}/a2a/${brandId}/`)
}

/** A message as the SDK's client takes it. `more` replaces the usual members. */
export function say(text: string, contextId = '', more: Partial<Message> = {}): SendMessageRequest {
  const part = {
    content: { $case: 'text' as const, value: text },
    filename: '',
    mediaType: '',
    metadata: undefined,
  }
  const message: Message = {
    messageId: randomUUID(),
    contextId,
    taskId: '',
    role: Role.ROLE_USER,
    parts: [part],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...more,
  }
  return { tenant: '', message, configuration: undefined, metadata: undefined }
}

/** Sends, and expects a message rather than a task. */
export async function converse(client: Client, request: SendMessageRequest): Promise<Message> {
  const result = await client.sendMessage(request)
  if (!('messageId' in result)) throw new Error('a task in place of a message')
  return result
}

/** The text of a message's parts. */
export function textOf(message: Message): string {
  return message.parts.map((part) => (part.content?.$case === 'text' ? part.content.value : '')).join('')
}
