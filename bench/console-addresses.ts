import { formatCursor } from '#lib/platform/keyset.ts'
import { stockAgent, stockBrand } from './console-stock.ts'

/** A row in the middle of every list. */
const middle = new Date(Date.now() - 45 * 86_400_000)
const deep = (id: string) => [
  `after=${formatCursor({ at: middle, id })}`,
  `before=${formatCursor({ at: middle, id })}`,
]
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

const busy = `brand=${stockBrand(0)}`
const quiet = `brand=${stockBrand(777)}`
/** Found by many rows, by few, by none. */
const agents = ['agent=agent-1', 'agent=https://agent-490.example', 'agent=nobody-at-all']
const users = ['user=jane-77', 'user=user-77', 'user=nobody']
const days = [`from=${day(1)}`, `until=${day(80)}`, `from=${day(40)}&until=${day(39)}`]

/** Every list of the console, with each of its filters and orders, and pages far from the first. */
export const listQueries: Readonly<Record<string, readonly string[]>> = {
  '/admin': ['', 'span=7d', 'span=30d', `span=30d&${busy}`],
  '/admin/usage': ['', 'span=24h', 'span=30d', 'span=30d&sort=-modelCalls', `span=30d&${busy}`],
  '/admin/conversations': [
    ...['', busy, quiet, ...agents, ...users, 'state=open', 'state=closed', ...days],
    ...deep('00000000-c000-7000-8000-000000018000'),
    `${busy}&agent=agent-490`,
    `state=open&agent=agent-490`,
  ],
  '/admin/grants': [
    ...['', busy, quiet, ...agents, ...users, 'state=live', 'state=expired', 'state=revoked'],
    ...['scope=orders:read', 'scope=refunds:issue', 'scope=none', `${busy}&scope=refunds:issue`],
    ...deep('a2agrant_stock_25000'),
  ],
  '/admin/receipts': [
    ...['', busy, quiet, ...agents, 'user=jane-77', 'user=nobody', ...days],
    ...['scope=orders:read', 'scope=refunds:issue', 'tool=lookup_orders', 'tool=refund', 'tool=none'],
    ...deep('100000'),
    `${busy}&tool=refund`,
    `scope=orders:read&agent=agent-490`,
  ],
  '/admin/audit': [
    ...['', busy, quiet, 'actor=user-7@provider.example', 'actor=nobody', 'action=key.rotate', 'action=none'],
    ...[...days, 'after=50000', 'before=50000', 'actor=user-7@provider.example&action=key.rotate'],
  ],
  '/admin/brands': [
    ...[
      '',
      'sort=-name',
      'sort=created',
      'sort=-created',
      'q=brand-77',
      'q=nothing',
      'state=enabled',
      'state=disabled',
    ],
    ...['state=archived', `after=${stockBrand(500)}`, `sort=-created&before=${stockBrand(500)}`],
  ],
  '/admin/personal-agents': [
    ...['', 'sort=-name', 'sort=created', 'sort=-created', 'q=agent-7', 'q=nothing', 'state=disabled'],
    ...[
      'origin=discovered',
      'keys=failing',
      `after=${stockAgent(250)}`,
      `sort=created&before=${stockAgent(250)}`,
    ],
  ],
  '/admin/keys': ['', 'q=brand', 'q=nothing', `after=${stockBrand(500)}`, busy],
  '/admin/members': [
    '',
    'search=user-77',
    'search=nothing',
    'role=manager',
    'role=admin',
    'state=disabled',
    busy,
  ],
  '/admin/refusals': [
    '',
    'hours=1',
    'hours=168',
    'hours=720',
    'reason=expired',
    `agent=${stockAgent(7)}&hours=720`,
  ],
}

/** What is for the Provider's own people alone. */
export const providerLists: readonly string[] = ['/admin/personal-agents', '/admin/refusals']
