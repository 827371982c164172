import { type Actor, appendAudit } from '#lib/access/audit.ts'
import { prisma } from '#lib/platform/database.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { LimitOverrides, PersonalAgentSettings } from './schema.ts'
import { limitOverridesSchema } from './schema.ts'

/** A personal agent in the registry (§3.1), as operators see it. */
export type RegisteredAgent = {
  id: string
  name: string
  issuer: string
  jwksUri: string
  enabled: boolean
  origin: 'registered' | 'discovered'
  limits: LimitOverrides | null
}

const select = {
  id: true,
  name: true,
  issuer: true,
  jwksUri: true,
  enabled: true,
  origin: true,
  limits: true,
} as const
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

type Row = Prisma.PersonalAgentGetPayload<{ select: typeof select }>

function toAgent(row: Row): RegisteredAgent {
  return { ...row, limits: limitOverridesSchema.nullable().parse(row.limits) }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'P2002'
}

/** Every personal agent, disabled ones too, by name. */
export async function listPersonalAgents(): Promise<RegisteredAgent[]> {
  const rows = await prisma().personalAgent.findMany({
    select,
    orderBy: [{ name: 'asc' }, { issuer: 'asc' }],
  })
  return rows.map(toAgent)
}

export type Addition = { kind: 'added'; personalAgent: RegisteredAgent } | { kind: 'already-registered' }

/**
 * Registers a personal agent (§3.1). One that was only discovered becomes registered, and stays disabled if it was.
 *
 * @param settings valid under `personalAgentSchema`
 */
export async function addPersonalAgent(settings: PersonalAgentSettings): Promise<Addition> {
  const { name, issuer, jwksUri, enabled, limits } = settings
  const data = {
    name,
    issuer,
    jwksUri,
    origin: 'registered' as const,
    limits: limits ? limitsToJson(limits) : Prisma.DbNull,
    ...(enabled === undefined ? {} : { enabled }),
  }
  try {
    return { kind: 'added', personalAgent: toAgent(await prisma().personalAgent.create({ data, select })) }
  } catch (error) {
    if (!isTaken(error)) throw error
  }
  const where = { issuer, origin: 'discovered' as const }
  const [promoted] = await prisma().personalAgent.updateManyAndReturn({ where, data, select })
  return promoted ? { kind: 'added', personalAgent: toAgent(promoted) } : { kind: 'already-registered' }
}

function limitsToJson({ perPersonalAgent, perUser }: LimitOverrides): Prisma.InputJsonObject {
  return { ...(perPersonalAgent ? { perPersonalAgent } : {}), ...(perUser ? { perUser } : {}) }
}

export type Switching =
  | { kind: 'changed' | 'unchanged'; personalAgent: RegisteredAgent }
  | { kind: 'unknown' }

const operator: Actor = { kind: 'cli', name: 'pact' }

/**
 * Lets a personal agent in, or shuts it out: it is refused by every process less than a second later. One that was only
 * discovered stays so.
 *
 * @param issuerOrId its exact issuer, or its id in the registry
 * @param actor for the audit log
 */
export async function setPersonalAgentEnabled(
  issuerOrId: string,
  enabled: boolean,
  actor: Actor = operator,
): Promise<Switching> {
  const where = uuid.test(issuerOrId) ? { id: issuerOrId } : { issuer: issuerOrId }
  const changed = await prisma().$transaction(async (transaction) => {
    const [row] = await transaction.personalAgent.updateManyAndReturn({
      where: { ...where, enabled: !enabled },
      data: { enabled },
      select,
    })
    if (!row) return undefined
    const change = { before: { enabled: !enabled }, after: { enabled } }
    await appendAudit(transaction, [
      { actor, action: 'personal-agent.update', subject: row.issuer, ...change },
    ])
    return row
  })
  if (changed) return { kind: 'changed', personalAgent: toAgent(changed) }
  const found = await prisma().personalAgent.findFirst({ where, select })
  return found ? { kind: 'unchanged', personalAgent: toAgent(found) } : { kind: 'unknown' }
}
