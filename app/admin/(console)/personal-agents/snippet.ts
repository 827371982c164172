/** What a personal agent needs to know to talk to a Brand. */
type Facts = { issuer: string; audience: string; cardUrl: string }

/** The end of every card's address: what stands before it is the base that the SDK wants. */
const CARD = '.well-known/agent-card.json'

/** A program in JavaScript that signs a token (§3.2) and sends a first message (§4), with the SDK as published. */
export function buildSnippet({ issuer, audience, cardUrl }: Facts): string {
  const text = (value: string) => JSON.stringify(value)
  return `import { randomUUID } from 'node:crypto'
import { Role } from '@a2a-js/sdk'
import { ClientFactory, createAuthenticatingFetchWithRetry, RestTransportFactory } from '@a2a-js/sdk/client'
import { importJWK, SignJWT } from 'jose'

// The private part of a key that your JWKS publishes under the same kid.
const jwk = JSON.parse(process.env.PRIVATE_JWK)
const key = await importJWK(jwk, 'ES256')

// Stable and opaque for each User; no personal data.
const user = 'user-1'

const signToken = () =>
  new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: jwk.kid, typ: 'JWT' })
    .setIssuer(${text(issuer)})
    .setAudience(${text(audience)})
    .setSubject(user)
    .setIssuedAt()
    .setExpirationTime('120s')
    .sign(key)

const fetchImpl = createAuthenticatingFetchWithRetry(fetch, {
  headers: async () => ({ Authorization: \`Bearer \${await signToken()}\` }),
  shouldRetryWithHeaders: async () => undefined,
})
const factory = new ClientFactory({ transports: [new RestTransportFactory({ fetchImpl })] })
// The slash at the end matters: the card's path is resolved against it.
const client = await factory.createFromUrl(${text(cardUrl.replace(CARD, ''))})

const reply = await client.sendMessage({
  tenant: '',
  message: {
    messageId: randomUUID(),
    contextId: '', // empty: a new conversation; afterwards the reply's own
    taskId: '',
    role: Role.ROLE_USER,
    parts: [{ content: { $case: 'text', value: 'Hello' }, filename: '', mediaType: '', metadata: undefined }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
  configuration: undefined,
  metadata: undefined,
})
console.log(JSON.stringify(reply, null, 2))
`
}
