import { type AgentSettings, agentSchema } from '#lib/agents/schema.ts'
import { prisma } from '#lib/platform/database.ts'
import { revisionCache } from '#lib/platform/revision-cache.ts'
import { brandIdSchema } from './schema.ts'

/** A Brand, as requests need it. */
export type Brand = {
  id: string
  name: string
  description: string
  skills: { id: string; name: string; description: string; tags: string[]; examples: string[] }[]
  /** How long a conversation may rest before it closes (§4.2), in milliseconds. */
  idleTime: number
  agent: AgentSettings
}

const HOUR = 3_600_000

const brands = revisionCache<Brand>('brands', async (id) => {
  const stored = await prisma().brand.findUnique({
    where: { id, enabled: true },
    include: { skills: { orderBy: { position: 'asc' } } },
  })
  if (!stored) return undefined
  const { name, description, idleHours } = stored
  const skills = stored.skills.map(({ id, name, description, tags, examples }) => ({
    id,
    name,
    description,
    tags,
    examples,
  }))
  return { id, name, description, skills, idleTime: idleHours * HOUR, agent: agentSchema.parse(stored.agent) }
})

/** The Brand with this id, less than a second old; undefined when there is none or it is disabled. */
export async function findBrand(id: string): Promise<Brand | undefined> {
  return brandIdSchema.safeParse(id).success ? brands(id) : undefined
}

/** Every Brand that is enabled, by name. For pages, not for requests of personal agents. */
export function listBrands(): Promise<{ id: string; name: string; description: string }[]> {
  return prisma().brand.findMany({
    where: { enabled: true },
    select: { id: true, name: true, description: true },
    orderBy: { name: 'asc' },
  })
}
