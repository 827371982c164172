import type pg from 'pg'
import { sumDays } from '#e2e/harness/daily-sums.ts'
import { withClient } from './database.ts'

/** How much is stored. */
export type ConsoleStock = Record<
  | 'brands'
  | 'personalAgents'
  | 'conversations'
  | 'messages'
  | 'grants'
  | 'receipts'
  | 'auditEvents'
  | 'users'
  /** Of counted traffic and refusals. */
  | 'hours',
  number
>

/** How much the console is measured with. */
export const largeStock: ConsoleStock = {
  brands: 1_000,
  personalAgents: 500,
  conversations: 200_000,
  messages: 1_000_000,
  grants: 50_000,
  receipts: 200_000,
  auditEvents: 100_000,
  users: 2_000,
  hours: 30 * 24,
}

/** The id of the n-th Brand, in SQL and here: a ULID. */
const brandId = (n: string) => `'01KBENCH' || lpad((${n})::text, 18, '0')`
export const stockBrand = (n: number) => `01KBENCH${String(n).padStart(18, '0')}`
const uuid = (kind: string, n: string) =>
  `('00000000-${kind}-7000-8000-' || lpad(to_hex((${n})::bigint), 12, '0'))::uuid`
export const stockAgent = (n: number) => `00000000-a000-7000-8000-${n.toString(16).padStart(12, '0')}`

const someTime = `now() - random() * interval '90 days'`

function buildStatements(stock: ConsoleStock): string[] {
  // Few Brands have most of the traffic, as in earnest.
  const someBrand = brandId(`floor(${stock.brands} * power(random(), 3))`)
  const someAgent = uuid('a000', `floor(${stock.personalAgents} * power(random(), 2))`)
  return [
    `INSERT INTO "Provider" ("id", "organization", "audience", "limits", "updatedAt") VALUES (1, 'Large Provider', 'urn:bench',
    '{"perPersonalAgent": {"requests": 100, "perSeconds": 1}, "perUser": {"requests": 10, "perSeconds": 1}}', now())`,
    `INSERT INTO "PersonalAgent" ("id", "issuer", "jwksUri", "name", "enabled", "origin", "createdAt", "updatedAt")
  SELECT ${uuid('a000', 'n')}, 'https://agent-' || n || '.example', 'https://agent-' || n || '.example/jwks.json',
    'Agent ' || md5(n::text), n % 20 > 0, (CASE WHEN n % 3 = 0 THEN 'discovered' ELSE 'registered' END)::"PersonalAgentOrigin",
    ${someTime}, now()
  FROM generate_series(0, ${stock.personalAgents - 1}) n`,
    `INSERT INTO "Brand" ("id", "name", "description", "domain", "enabled", "delegation", "agent", "rotateEveryDays",
    "maskedFor", "archivedAt", "createdAt", "updatedAt")
  SELECT ${brandId('n')}, 'Brand ' || md5(n::text), 'Sells things', 'brand-' || n || '.example', n % 15 > 0,
    jsonb_build_object('grantDays', 90, 'login', jsonb_build_object('url', 'https://brand-' || n || '.example/login',
      'issuer', 'https://brand-' || n || '.example', 'jwksUri', 'https://brand-' || n || '.example/jwks.json')),
    '{"driver": "scripted", "rules": [], "fallback": "Sorry."}', 90, '{}', CASE WHEN n % 50 = 49 THEN now() END, ${someTime}, now()
  FROM generate_series(0, ${stock.brands - 1}) n`,
    `INSERT INTO "Scope" ("brandId", "id", "position", "description")
  SELECT ${brandId('n')}, s."id", s."position", 'Lets it use ' || s."id" FROM generate_series(0, ${stock.brands - 1}) n,
    (VALUES ('orders:read', 0), ('orders:cancel', 1), ('refunds:issue', 2)) AS s ("id", "position")`,
    `INSERT INTO "SigningKey" ("id", "brandId", "state", "publicJwk", "sealedPrivate", "createdAt", "activatedAt")
  SELECT 'bench-' || n, ${brandId('n')}, 'active', '{"kty": "EC", "crv": "P-256"}', NULL, now(), now()
  FROM generate_series(0, ${stock.brands - 1}) n`,
    `INSERT INTO "Conversation" ("id", "brandId", "personalAgentId", "subject", "brandUserId", "state", "closedBy", "closedAt",
    "createdAt", "lastActiveAt")
  SELECT ${uuid('c000', 'n')}, ${someBrand}, ${someAgent}, 'user-' || n % 30000, CASE WHEN n % 2 = 0 THEN 'jane-' || n % 20000 END,
    (CASE WHEN n % 3 = 0 THEN 'closed' ELSE 'open' END)::"ConversationState", (CASE WHEN n % 3 = 0 THEN 'agent' END)::"ClosedBy",
    CASE WHEN n % 3 = 0 THEN now() END, t."at", t."at"
  FROM (SELECT n, ${someTime} AS "at" FROM generate_series(0, ${stock.conversations - 1}) n ORDER BY 2) t`,
    `INSERT INTO "Message" ("brandId", "conversationId", "messageId", "text", "receivedAt", "replyId", "replyText", "repliedAt")
  SELECT c."brandId", c."id", 'm-' || turn, 'Where is my order A-88213? It should have arrived on Monday.', c."createdAt",
    gen_random_uuid(), 'Order A-88213 leaves our warehouse tomorrow and is with you two days later.', c."createdAt"
  FROM "Conversation" c, generate_series(1, ${stock.messages / stock.conversations}) turn
  ORDER BY c."createdAt", turn`,
    `INSERT INTO "Grant" ("id", "brandId", "personalAgentId", "subject", "brandUserId", "scopes", "createdAt", "expiresAt",
    "lastUsedAt", "revokedAt", "revokedBy")
  SELECT 'a2agrant_stock_' || n, ${someBrand}, ${someAgent}, 'user-' || n % 30000, 'jane-' || n % 20000,
    CASE WHEN n % 1000 = 0 THEN ARRAY['refunds:issue'] ELSE ARRAY['orders:read', 'orders:cancel'] END,
    t."at", t."at" + interval '80 days', CASE WHEN n % 2 = 0 THEN now() END,
    CASE WHEN n % 5 = 0 THEN now() END, CASE WHEN n % 5 = 0 THEN 'user' END
  FROM (SELECT n, ${someTime} AS "at" FROM generate_series(0, ${stock.grants - 1}) n ORDER BY 2) t`,
    `INSERT INTO "GrantChange" ("brandId", "grantId", "at", "kind", "by", "scopesBefore", "scopesAfter")
  SELECT "brandId", "id", "createdAt", 'approved', 'user', '{}', "scopes" FROM "Grant"`,
    // No key signed them: a list does not look at that.
    `INSERT INTO "Receipt" ("brandId", "grantId", "conversationId", "messageId", "jws", "claims", "issuedAt")
  SELECT r."brandId", r."grantId", r."conversationId", 'm-1',
    'e30.' || translate(encode(convert_to(r."claims"::text, 'UTF8'), 'base64'), E'+/=\\n', '-_') || '.' || md5(n::text), r."claims", "at"
  FROM (
    SELECT n, g."brandId", g."id" AS "grantId", ${uuid('c000', `n % ${stock.conversations}`)} AS "conversationId",
      ${someTime} AS "at", jsonb_build_object('grantId', g."id", 'user', g."brandUserId", 'pa', p."issuer",
        'brand', 'http://localhost:3000/a2a/' || g."brandId", 'ts', '2026-01-01T00:00:00Z',
        'scopesUsed', CASE WHEN n % 1000 = 0 THEN '["refunds:issue"]'::jsonb ELSE '["orders:read"]' END,
        'actions', jsonb_build_array(jsonb_build_object('tool', CASE WHEN n % 500 = 0 THEN 'refund' ELSE 'lookup_orders' END))) AS "claims"
    FROM generate_series(0, ${stock.receipts - 1}) n
    JOIN "Grant" g ON g."id" = 'a2agrant_stock_' || n % ${stock.grants} JOIN "PersonalAgent" p ON p."id" = g."personalAgentId"
    ORDER BY "at"
  ) r`,
    `INSERT INTO "AuditEvent" ("id", "at", "actorKind", "actorId", "actor", "brandId", "action", "subject", "before", "after",
    "address", "previousHash", "hash")
  SELECT coalesce((SELECT max("id") FROM "AuditEvent"), 0) + n, now() - (${stock.auditEvents} - n) * interval '1 minute', 'user',
    'u', 'user-' || n % 2000 || '@provider.example', CASE WHEN n % 4 > 0 THEN ${someBrand} END,
    (ARRAY['brand.update', 'session.start', 'session.refuse', 'grant.revoke', 'key.rotate'])[1 + n % 5], 'subject ' || n,
    '{"a": 1}', '{"a": 2}', '192.0.2.1', '\\x00', decode(md5(n::text) || md5(n::text), 'hex')
  FROM generate_series(1, ${stock.auditEvents}) n`,
    `INSERT INTO "ConsoleUser" ("id", "email", "name", "addressProvenAt", "updatedAt")
  SELECT ${uuid('d000', 'n')}, 'user-' || n || '@provider.example', 'User ' || md5(n::text), now(), now()
  FROM generate_series(1, ${stock.users}) n`,
    `INSERT INTO "Membership" ("userId", "brandId", "role")
  SELECT ${uuid('d000', 'n')}, ${brandId(`n % ${stock.brands}`)}, (CASE WHEN n % 2 = 0 THEN 'manager' ELSE 'viewer' END)::"BrandRole"
  FROM generate_series(1, ${stock.users}) n`,
    `INSERT INTO "TrafficHour" ("hour", "brandId", "personalAgentId", "kind", "count", "milliseconds")
  SELECT date_trunc('hour', now(), 'UTC') - h * interval '1 hour', ${brandId('n')}, ${uuid('a000', 'h % 5')}, k."kind", 10, 900
  FROM generate_series(0, ${stock.hours}) h, generate_series(0, ${Math.min(100, stock.brands) - 1}) n,
    (VALUES ('message'), ('turn:25'), ('turn:100'), ('step_up'), ('consent_approved'),
      ('model_call'), ('input_token'), ('output_token'), ('tool_call')) AS k ("kind")`,
    `INSERT INTO "RefusedRequests" ("hour", "personalAgentId", "reason", "count")
  SELECT date_trunc('hour', now(), 'UTC') - h * interval '1 hour', ${uuid('a000', 'n')}::text, r."reason", 3
  FROM generate_series(0, ${stock.hours}) h, generate_series(0, 49) n, (VALUES ('expired'), ('audience'), ('jwks_unreachable')) AS r ("reason")`,
    ...sumDays,
    `INSERT INTO "Refusal" ("personalAgentId", "reason", "minute", "issuer", "brandId", "at", "count")
  SELECT ${uuid('a000', 'n')}::text, r."reason", now() - m * interval '1 hour', '', ${brandId('n')}, now() - m * interval '1 hour', 2
  FROM generate_series(0, ${stock.personalAgents - 1}) n, generate_series(1, 20) m, (VALUES ('expired'), ('audience')) AS r ("reason")`,
  ]
}

/** Somebody in the console of so many Brands, or of the Provider (none). */
async function storePerson(client: pg.Client, email: string, brands: number): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO "ConsoleUser" ("id", "email", "providerRole", "addressProvenAt", "updatedAt")
    VALUES (gen_random_uuid(), $1, CASE WHEN $2 = 0 THEN 'admin'::"ProviderRole" END, now(), now()) RETURNING "id"`,
    [email, brands],
  )
  const id = String(rows[0]?.id)
  await client.query(
    `INSERT INTO "Membership" ("userId", "brandId", "role")
    SELECT $1, ${brandId('n')}, 'manager' FROM generate_series(0, $2::int - 1) n`,
    [id, brands],
  )
  return id
}

/** By how many Brands people look at: 0 stands for all, at the Provider. */
export const onlookers = [0, 1, 15, 600] as const

/**
 * Fills a migrated database as a large Provider's is.
 *
 * @returns the ids of those who look at it, by how many Brands are theirs
 */
export async function stockConsole(url: string, stock: ConsoleStock): Promise<Map<number, string>> {
  return withClient(url, async (client) => {
    // What is inserted refers only to what is inserted with it: checking every row would take most of the time.
    await client.query('SET session_replication_role = replica')
    for (const statement of buildStatements(stock)) await client.query(statement)
    const people = new Map<number, string>()
    for (const brands of onlookers) {
      people.set(brands, await storePerson(client, `onlooker-${brands}@provider.example`, brands))
    }
    await client.query('VACUUM (ANALYZE)')
    await client.query('CHECKPOINT')
    return people
  })
}
