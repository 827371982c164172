import type { Prisma } from '#prisma/generated/client.ts'
import type { BrandInput } from './schema.ts'

const inOrder = { orderBy: { position: 'asc' } } as const

/** What must be read of a Brand for {@link toBrandSettings}. */
export const settingsParts = {
  skills: inOrder,
  scopes: inOrder,
  tools: inOrder,
  agentChecks: inOrder,
} as const

type StoredSettings = Prisma.BrandGetPayload<{ include: typeof settingsParts }>

function toTool(row: StoredSettings['tools'][number]) {
  const { brandId: _brand, position: _position, scopeId, arguments: schema, userArgument, ...tool } = row
  return {
    ...tool,
    ...(scopeId === null ? {} : { scope: scopeId }),
    ...(schema ? { arguments: schema } : {}),
    ...(userArgument === null ? {} : { userArgument }),
  }
}

function toConversation({ idleHours, retentionDays, maskedFor, streaming }: StoredSettings) {
  return { idleHours, ...(retentionDays === null ? {} : { retentionDays }), maskedFor, streaming }
}

function toDelegation({ delegation, scopes }: StoredSettings) {
  if (typeof delegation !== 'object' || delegation === null) return {}
  return {
    delegation: { ...delegation, scopes: scopes.map(({ id, description }) => ({ id, description })) },
  }
}

function toChecks({ agentChecks }: StoredSettings) {
  if (agentChecks.length === 0) return {}
  return { checks: agentChecks.map(({ name, example }) => ({ name, ...(example as object) })) }
}

/**
 * A stored Brand as the provision file has it: applied again, it changes nothing. It is not checked: what was allowed when
 * it was stored need not be allowed now.
 */
export function toBrandSettings(stored: StoredSettings): BrandInput {
  const { id, name, description, domain, enabled, rotateEveryDays, privateNetworks, agent } = stored
  return {
    id,
    name,
    description,
    ...(domain === null ? {} : { domain }),
    enabled,
    skills: stored.skills.map(({ brandId: _brand, position: _position, ...skill }) => skill),
    conversation: toConversation(stored),
    ...toDelegation(stored),
    keys: rotateEveryDays === null ? {} : { rotateEveryDays },
    ...(privateNetworks ? { privateNetworks } : {}),
    agent: { ...(agent as object), tools: stored.tools.map(toTool), ...toChecks(stored) },
  } as BrandInput
}
