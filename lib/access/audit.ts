import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { Prisma } from '#prisma/generated/client.ts'
import type { AuditAction } from './audit-actions.ts'

/** Who does something: somebody in the console, an API token, the CLI, or the product itself. */
export type Actor = {
  kind: 'user' | 'token' | 'cli' | 'system'
  id?: string
  /** As people know it: an e-mail address, a token's name with its owner's. */
  name: string
  /** The network address that it came from. */
  address?: string
}

/** Something that was done. Without secrets: `before` and `after` are shown to whoever may read the log. */
export type AuditEntry = {
  actor: Actor
  /** Left out: it concerns the Provider. */
  brandId?: string
  action: AuditAction
  /** What it was done to, as people know it. */
  subject: string
  before?: unknown
  after?: unknown
}

/** Keeps those who append apart from each other: the chain has one end. */
const AUDIT_LOCK = 7_204_191

export const FIRST_HASH = Buffer.alloc(32)

type Link = {
  id: bigint
  at: Date
  actorKind: string
  actorId: string | null
  actor: string
  brandId: string | null
  action: string
  subject: string
  before: unknown
  after: unknown
  address: string | null
}

/** The hash of a link: SHA-256 over the hash of the one before it and the link in RFC 8785 form. */
export function hashLink(previous: Uint8Array, link: Link): Buffer {
  const { id, at, before, after, ...rest } = link
  const form = canonicalize({
    ...rest,
    id: String(id),
    at: at.toISOString(),
    before: before ?? null,
    after: after ?? null,
  })
  return createHash('sha256').update(previous).update(String(form)).digest()
}

function plain(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value))
}

type Last = { id: bigint; hash: Uint8Array }

/**
 * Appends to the audit log, in the transaction of what it tells of: both are stored, or neither. Holds the end of the
 * chain until that transaction ends, so it comes last.
 */
export async function appendAudit(
  transaction: Prisma.TransactionClient,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(${AUDIT_LOCK})`
  const [last] = await transaction.$queryRaw<Last[]>`
    SELECT "id", "hash" FROM "AuditEvent" ORDER BY "id" DESC LIMIT 1`
  const [clock] = await transaction.$queryRaw<{ at: Date }[]>`
    SELECT date_trunc('milliseconds', clock_timestamp()) AS "at"`
  const at = clock?.at ?? new Date()
  let previousHash: Uint8Array = last?.hash ?? FIRST_HASH
  let id = last?.id ?? 0n
  const rows = entries.map(({ actor, brandId, action, subject, before, after }) => {
    id += 1n
    const link: Link = {
      id,
      at,
      actorKind: actor.kind,
      actorId: actor.id ?? null,
      actor: actor.name,
      brandId: brandId ?? null,
      action,
      subject,
      before: plain(before),
      after: plain(after),
      address: actor.address ?? null,
    }
    const hash = hashLink(previousHash, link)
    const row = {
      ...link,
      before: (link.before as Prisma.InputJsonValue | null) ?? Prisma.DbNull,
      after: (link.after as Prisma.InputJsonValue | null) ?? Prisma.DbNull,
      previousHash: new Uint8Array(previousHash),
      hash: new Uint8Array(hash),
    }
    previousHash = hash
    return row
  })
  await transaction.auditEvent.createMany({ data: rows })
}
