import { listSecretSettings, type SecretSetting } from '#lib/agents/agent-secrets.ts'
import { openAgentSecret, sealAgentSecret } from '#lib/agents/stored-secrets.ts'
import type { BrandSettings } from '#lib/brands/schema.ts'
import { SealError } from '#lib/keys/sealing.ts'
import type { AgentSecret } from '#prisma/generated/client.ts'
import type { Change, Step, Transaction } from './change.ts'
import type { Finding } from './fault.ts'

type Stored = ReadonlyMap<string, AgentSecret>

/** What can't be opened here is as good as another: it is sealed anew. */
async function isStored(secret: AgentSecret | undefined, { origin, value }: SecretSetting): Promise<boolean> {
  if (secret?.origin !== origin) return false
  try {
    return (await openAgentSecret(secret.sealed, secret.brandId, secret.name)) === value
  } catch (error) {
    if (error instanceof SealError) return false
    throw error
  }
}

async function store(
  transaction: Transaction,
  brandId: string,
  { name, origin }: SecretSetting,
  value: string,
): Promise<void> {
  const sealed = await sealAgentSecret(value, brandId, name)
  await transaction.agentSecret.upsert({
    where: { brandId_name: { brandId, name } },
    create: { brandId, name, origin, sealed },
    update: { origin, sealed },
  })
}

async function planSecret(
  { id: brandId, name: brandName }: BrandSettings,
  setting: SecretSetting,
  stored: AgentSecret | undefined,
): Promise<Step[]> {
  const { value } = setting
  if (typeof value !== 'string' || (await isStored(stored, setting))) return []
  const change: Change = {
    action: stored ? 'update' : 'create',
    kind: 'secret',
    name: `${brandName}: ${setting.name}`,
  }
  return [{ change, write: (transaction) => store(transaction, brandId, setting, value) }]
}

function planRemoval({ id: brandId, name: brandName }: BrandSettings, name: string): Step {
  return {
    change: { action: 'delete', kind: 'secret', name: `${brandName}: ${name}` },
    write: ({ agentSecret }) => agentSecret.delete({ where: { brandId_name: { brandId, name } } }),
  }
}

/**
 * What makes a Brand's stored secrets those of its agent's settings: what the settings leave out stays, and what has no
 * place in them any more goes. No value is told.
 */
export async function planSecrets(settings: BrandSettings, stored: Stored): Promise<Step[]> {
  const wanted = listSecretSettings(settings.agent)
  const kept = new Set(wanted.filter(({ value }) => value !== null).map(({ name }) => name))
  const steps = [...stored.keys()]
    .filter((name) => !kept.has(name))
    .map((name) => planRemoval(settings, name))
  for (const setting of wanted) steps.push(...(await planSecret(settings, setting, stored.get(setting.name))))
  return steps
}

/** The secrets that must be given again: each is for one origin, and the settings now name another. */
export function findLostSecrets({ agent }: BrandSettings, stored: Stored): Finding[] {
  return listSecretSettings(agent).flatMap(({ name, path, origin, value }) => {
    const before = stored.get(name)?.origin
    if (value !== undefined || before === undefined || before === origin) return []
    const reason = `must be given again, or be null: the one that is stored is for ${before}`
    return [{ path: ['agent', ...path], reason }]
  })
}
