/** An order as the account API shows it. */
export type Order = {
  number: string
  item: string
  status: 'being packed' | 'shipped' | 'delivered' | 'cancelled'
}

/** What came of a request to cancel. */
export type Cancellation =
  | { ok: true; order: Order; refund: string }
  | { ok: false; reason: 'unknown' | 'shipped' }

const REFUND = 'The refund posts in 3 to 5 days.'

function seed(): Map<string, Order[]> {
  return new Map([
    [
      'jane-4471',
      [
        { number: 'A-88213', item: 'Wool coat', status: 'being packed' },
        { number: 'A-87390', item: 'Linen shirt', status: 'shipped' },
        { number: 'A-85102', item: 'Scarf', status: 'delivered' },
      ],
    ],
    ['tom-1180', [{ number: 'A-86047', item: 'Rain jacket', status: 'delivered' }]],
  ])
}

/** The orders of all accounts, newest first. They are as new at every start of the program. */
export class OrderBook {
  readonly #orders = seed()

  ordersOf(accountId: string): readonly Order[] {
    return this.#orders.get(accountId) ?? []
  }

  /** Cancels an order that has not shipped. One that is cancelled already stays so, and its refund too. */
  cancel(accountId: string, number: string): Cancellation {
    const order = this.#orders.get(accountId)?.find((each) => each.number === number.toUpperCase())
    if (!order) return { ok: false, reason: 'unknown' }
    if (order.status === 'shipped' || order.status === 'delivered') return { ok: false, reason: 'shipped' }
    order.status = 'cancelled'
    return { ok: true, order, refund: REFUND }
  }
}
