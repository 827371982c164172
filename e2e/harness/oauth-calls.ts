import { handle } from '#lib/protocol/handle.ts'
import { openDelegatingDatabase, provideDelegation } from './delegating-brand.ts'
import { playPersonalAgents } from './personal-agents.ts'
import { signPaToken } from './wire.ts'

export const FORM = 'application/x-www-form-urlencoded'
export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'

/**
 * One Brand that offers delegation, one personal agent with keys, and calls of the Brand's authorization server by the
 * protocol's own function, without a server between.
 */
export async function openOAuthCalls() {
  const database = await openDelegatingDatabase()
  const played = await playPersonalAgents(['played'])
  const [agent] = played.agents
  if (!agent) throw new Error('no personal agent')
  await provideDelegation([agent])
  const token = await signPaToken(agent)
  const { brandId } = database

  const ask = async (path: string, init: RequestInit = {}, brand = brandId) => {
    const response = await handle(new Request(`http://localhost/a2a/${brand}/oauth/${path}`, init))
    const text = await response.text()
    const body = text ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, text, body }
  }
  const post = (
    path: string,
    fields: Record<string, string> | string | Uint8Array<ArrayBuffer>,
    options: { headers?: Record<string, string>; brandId?: string } = {},
  ) => {
    const isBody = typeof fields === 'string' || fields instanceof Uint8Array
    const body = isBody ? fields : new URLSearchParams(fields).toString()
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': FORM, ...options.headers }
    return ask(path, { method: 'POST', headers, body }, options.brandId)
  }
  return {
    brandId,
    agent,
    ask,
    /** A form, as the personal agent itself. */
    post,
    dropDatabase: () => database.drop(),
    async close() {
      await played.close()
      await database.close()
    },
  }
}

export type OAuthCalls = Awaited<ReturnType<typeof openOAuthCalls>>
