import { z } from 'zod'
import { agentSchema } from '#lib/agents/schema.ts'
import { prisma } from '#lib/platform/database.ts'
import { cardUrl } from './addresses.ts'
import { loginSchema } from './schema.ts'

// Whether loopback is allowed was decided when it was stored.
const storedDelegationSchema = z.object({
  login: loginSchema({ allowLoopback: true }),
  grantDays: z.number(),
})

const position = { position: 'asc' } as const
const parts = {
  skills: { orderBy: position, omit: { brandId: true, position: true } },
  scopes: { orderBy: position, omit: { brandId: true, position: true } },
  tools: { orderBy: position, omit: { brandId: true, position: true } },
  memberships: { select: { role: true, user: { select: { email: true } } } },
} as const

/** Every Brand, disabled ones too, by name. */
export async function listAllBrands() {
  const rows = await prisma().brand.findMany({
    select: { id: true, name: true, description: true, domain: true, enabled: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
  return rows.map((row) => ({ ...row, cardUrl: cardUrl(row.id) }))
}

/** Everything that is stored of a Brand, disabled or not; undefined when there is none with this id. */
export async function findBrandDetails(id: string) {
  const stored = await prisma().brand.findUnique({ where: { id }, include: parts })
  if (!stored) return undefined
  const { memberships, agent, delegation, ...brand } = stored
  return {
    ...brand,
    cardUrl: cardUrl(id),
    delegation: storedDelegationSchema.nullable().parse(delegation),
    agent: agentSchema.parse(agent),
    consoleUsers: memberships.map(({ role, user }) => ({ email: user.email, role })),
  }
}

export type BrandSummary = Awaited<ReturnType<typeof listAllBrands>>[number]
export type BrandDetails = NonNullable<Awaited<ReturnType<typeof findBrandDetails>>>
