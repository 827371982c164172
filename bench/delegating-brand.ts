/** What the agent asks the Brand's API for, and gets. */
export const ORDERS = {
  orders: [
    { number: 'A-88213', status: 'on its way' },
    { number: 'A-88190', status: 'delivered' },
  ],
}

export const SCOPE = 'orders:read'
export const ORDERS_TOOL = 'list_orders'

/**
 * What a Brand adds to another to offer §5: a scope, a login that nobody needs here, and an agent with one tool.
 *
 * @param api the origin of the Brand's API
 */
export function buildDelegatingParts(api: string) {
  const login = { url: `${api}/login`, issuer: api, jwksUri: `${api}/jwks.json` }
  const reply = '{% for order in found.orders %}{{ order.number }} is {{ order.status }}. {% endfor %}'
  return {
    delegation: { login, scopes: [{ id: SCOPE, description: 'Look up your orders and their status' }] },
    tool: {
      name: ORDERS_TOOL,
      description: 'The orders.',
      scope: SCOPE,
      request: { method: 'GET', url: `${api}/orders` },
    },
    rule: { when: { words: ['my orders'] }, call: [{ tool: ORDERS_TOOL, as: 'found' }], reply },
  }
}
