import { type AgentSettings, agentSchema } from '#lib/agents/schema.ts'
import { storedToolSchema, type ToolSettings } from '#lib/agents/tools/schema.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { type BrandAppearance, type BrandLogin, delegationSchema, type SkillSettings } from './schema.ts'

/** A Brand, as requests need it. */
export type Brand = {
  id: string
  name: string
  description: string
  skills: SkillSettings[]
  /** How long a conversation may rest before it closes (§4.2), in milliseconds. */
  idleTime: number
  /** Whether `message:stream` answers, as the card then says (A2A 1.0). */
  streaming: boolean
  agent: AgentSettings
  tools: ToolSettings[]
  /** Whether the agent's tools may reach private networks. */
  privateNetworks: boolean
  /** Undefined: PACT Identity only (§5). */
  delegation: BrandDelegation | undefined
}

/** How a Brand's Users log in, and what they can allow (§5). */
export type BrandDelegation = {
  login: BrandLogin
  appearance?: BrandAppearance
  /** How long a grant lasts, in milliseconds. */
  grantTime: number
  /** In the order of the Brand. */
  scopes: { id: string; description: string }[]
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

const inOrder = { orderBy: { position: 'asc' } } as const

/** What must be read of a Brand for {@link toBrand}. */
export const storedParts = { skills: inOrder, scopes: inOrder, tools: inOrder } as const

type StoredBrand = Prisma.BrandGetPayload<{ include: typeof storedParts }>

// Whether this machine may be reached was decided when the settings were stored, and is again at each call.
const delegationColumn = delegationSchema({ allowLoopback: true }).omit({ scopes: true })

function toTool({
  brandId: _brand,
  position: _position,
  scopeId,
  arguments: schema,
  userArgument,
  ...row
}: StoredBrand['tools'][number]) {
  return storedToolSchema.parse({
    ...row,
    scope: scopeId ?? undefined,
    arguments: schema ?? undefined,
    userArgument: userArgument ?? undefined,
  })
}

function toDelegation({ delegation, scopes }: StoredBrand): BrandDelegation | undefined {
  if (delegation === null) return undefined
  const { login, appearance, grantDays } = delegationColumn.parse(delegation)
  return {
    login,
    ...(appearance ? { appearance } : {}),
    grantTime: grantDays * DAY,
    scopes: scopes.map(({ id, description }) => ({ id, description })),
  }
}

/** Reads a stored Brand. @throws when what is stored is not valid */
export function toBrand(stored: StoredBrand): Brand {
  const { id, name, description, idleHours, streaming, privateNetworks } = stored
  return {
    id,
    name,
    description,
    skills: stored.skills.map(({ brandId: _brand, position: _position, ...skill }) => skill),
    idleTime: idleHours * HOUR,
    streaming,
    agent: agentSchema.parse(stored.agent),
    tools: stored.tools.map(toTool),
    privateNetworks,
    delegation: toDelegation(stored),
  }
}
