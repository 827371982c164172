import { createRemoteJWKSet } from 'jose'
import { serveBot } from '#examples/bot/serve.ts'
import type { Answer, Turn } from '#examples/bot/turn.ts'
import { CLOSING_TEXT } from './provision.ts'

type Access = Turn['access']

async function listOrders(api: string, access: Access): Promise<Answer> {
  if (!access?.scopes.includes('orders:read'))
    return { missingScopes: ['orders:read'], text: 'I need permission to look up your orders.' }
  const response = await fetch(`${api}/orders`, { headers: { Authorization: `Bearer ${access.token}` } })
  const { orders } = (await response.json()) as { orders: { number: string; status: string }[] }
  return {
    reply: orders.map(({ number, status }) => `${number}: ${status}.`).join(' '),
    actions: [{ tool: 'list_orders' }],
    scopesUsed: ['orders:read'],
  }
}

/** As the test Brand's agent: it shows orders, ends conversations, and is stuck when it is told so. */
function answerAs(api: string) {
  return ({ text, access }: Turn): Answer | Promise<Answer> => {
    if (/\bmy orders\b/i.test(text)) return listOrders(api, access)
    if (text.includes('stuck')) return new Promise(() => {})
    if (text.includes(CLOSING_TEXT)) return { reply: 'Goodbye.', close: true }
    return { reply: `You said: ${text}` }
  }
}

/**
 * Starts a Brand's own bot that answers what the test Brand's agent would.
 *
 * @param options.url where it is going to be, as its Brand's settings have it
 * @param options.api the account API, which takes the delegation token
 * @returns what stops it
 */
export function startOrderBot(options: {
  url: string
  interfaceUrl: string
  api: string
}): Promise<() => Promise<void>> {
  const { url, interfaceUrl, api } = options
  const keys = createRemoteJWKSet(new URL(`${interfaceUrl}/oauth/jwks.json`))
  return serveBot({ url, keys, answer: answerAs(api) })
}
