import { randomUUID } from 'node:crypto'
import { importJWK, type JWTPayload, SignJWT } from 'jose'
import type { TestPersonalAgent } from './personal-agents.ts'
import { AUDIENCE } from './provision.ts'

/** A §3.2 token of a played personal agent. `claims` replace the right ones. */
export async function signPaToken(agent: TestPersonalAgent, claims: JWTPayload = {}): Promise<string> {
  const iat = Math.floor(Date.now() / 1000)
  const right = { iss: agent.issuer, sub: 'user-1', aud: AUDIENCE, iat, exp: iat + 120 }
  return new SignJWT({ ...right, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: String(agent.privateJwk.kid) })
    .sign(await importJWK(agent.privateJwk, 'ES256'))
}

/** The body of a §4 request with one text part. */
export function buildSendBody(text: string, message: Record<string, unknown> = {}) {
  return { message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...message } }
}

/** Sends `message:send` as a personal agent does (§4). */
export async function sendText(
  interfaceUrl: string,
  token: string,
  text: string,
  message: Record<string, unknown> = {},
): Promise<{ status: number; body: SentAnswer }> {
  const response = await fetch(`${interfaceUrl}/message:send`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
    body: JSON.stringify(buildSendBody(text, message)),
  })
  const content = await response.text()
  return { status: response.status, body: content ? JSON.parse(content) : {} }
}

/** What `message:send` can answer, as far as tests look at it. */
export type SentAnswer = {
  message?: { messageId: string; contextId: string; role: string; parts: { text: string }[] }
  error?: { code: number; status: string; message: string; details: { reason: string }[] }
}
