import { Hono, type MiddlewareHandler } from 'hono'
import { LRUCache } from 'lru-cache'
import { findAccount } from './accounts.ts'
import type { Access, VerifyToken } from './delegation-token.ts'
import type { OrderBook } from './orders.ts'

type Env = { Variables: { access: Access } }

type StoredAnswer = { number: string; status: 200 | 404 | 409; body: Record<string, unknown> }

/**
 * The account API: the same that the Brand's own app would use. Each call acts as the User of its delegation token, and only
 * within its scopes (RFC 6750).
 */
export function buildAccountApi(orders: OrderBook, verify: VerifyToken): Hono<Env> {
  const api = new Hono<Env>()
  // A repeated key gets the first answer, and nothing happens twice.
  const answered = new LRUCache<string, StoredAnswer>({ max: 10_000, ttl: 24 * 3_600_000 })

  api.use(requireAccount(verify))

  api.get('/orders', requireScope('orders:read'), (context) =>
    context.json({ orders: orders.ordersOf(context.var.access.accountId) }),
  )

  api.post('/orders/:number/cancel', requireScope('orders:cancel'), (context) => {
    const { accountId } = context.var.access
    const number = context.req.param('number')
    const key = context.req.header('Idempotency-Key')
    const slot = key === undefined ? undefined : JSON.stringify([accountId, key])
    const stored = slot === undefined ? undefined : answered.get(slot)
    if (stored && stored.number !== number)
      return context.json(
        { error: 'key_reused', detail: 'This Idempotency-Key was used for another request.' },
        422,
      )
    const answer = stored ?? { number, ...cancel(orders, accountId, number) }
    if (slot !== undefined) answered.set(slot, answer)
    return context.json(answer.body, answer.status)
  })
  return api
}

function cancel(orders: OrderBook, accountId: string, number: string): Omit<StoredAnswer, 'number'> {
  const cancelled = orders.cancel(accountId, number)
  if (cancelled.ok) return { status: 200, body: { order: cancelled.order, refund: cancelled.refund } }
  if (cancelled.reason === 'unknown')
    return { status: 404, body: { error: 'unknown_order', detail: 'There is no such order.' } }
  return { status: 409, body: { error: 'shipped', detail: 'The order has left the warehouse.' } }
}

function requireAccount(verify: VerifyToken): MiddlewareHandler<Env> {
  return async (context, next) => {
    const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(context.req.header('Authorization') ?? '')?.[1]
    const access = token === undefined ? undefined : await verify(token)
    if (!access || !findAccount(access.accountId)) {
      const challenge =
        token === undefined ? 'Bearer realm="account"' : 'Bearer realm="account", error="invalid_token"'
      return context.json({ error: 'invalid_token' }, 401, { 'WWW-Authenticate': challenge })
    }
    context.set('access', access)
    return next()
  }
}

function requireScope(scope: string): MiddlewareHandler<Env> {
  return async (context, next) => {
    if (context.var.access.scopes.has(scope)) return next()
    const challenge = `Bearer realm="account", error="insufficient_scope", scope="${scope}"`
    return context.json({ error: 'insufficient_scope', scope }, 403, { 'WWW-Authenticate': challenge })
  }
}
