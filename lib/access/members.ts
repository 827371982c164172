import { z } from 'zod'
import { prisma } from '#lib/platform/database.ts'
import { pageSizeOf } from '#lib/platform/keyset.ts'
import type { BrandRole, Prisma, ProviderRole } from '#prisma/generated/client.ts'
import type { MemberQuery } from './members-schema.ts'
import { brandFilter, brandsWhere, ForbiddenError, type Viewer } from './permissions.ts'

/** A console user as a viewer may see them: whoever belongs to a Brand sees the roles there, and no others. */
export type Member = {
  id: string
  email: string
  name: string | null
  providerRole: ProviderRole | null
  brands: { id: string; name: string; role: BrandRole }[]
  /** Undefined for those who may not know. */
  secondFactor: boolean | undefined
  disabledAt: Date | null
  lastSeenAt: Date | null
}

function parts(brands: 'all' | string[]) {
  return {
    memberships: {
      where: brands === 'all' ? {} : { brandId: { in: brands } },
      include: { brand: { select: { name: true } } },
      orderBy: { brandId: 'asc' },
    },
    passkeys: { select: { id: true }, take: 1 },
    sessions: { select: { lastSeenAt: true }, orderBy: { lastSeenAt: 'desc' }, take: 1 },
  } as const satisfies Prisma.ConsoleUserInclude
}

type Row = Prisma.ConsoleUserGetPayload<{ include: ReturnType<typeof parts> }>

function toMember(row: Row, brands: 'all' | string[]): Member {
  const ofProvider = brands === 'all'
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    providerRole: ofProvider ? row.providerRole : null,
    brands: row.memberships.map(({ brandId, brand, role }) => ({ id: brandId, name: brand.name, role })),
    secondFactor: ofProvider ? row.sealedTotp !== null || row.passkeys.length > 0 : undefined,
    disabledAt: row.disabledAt,
    lastSeenAt: ofProvider ? (row.sessions[0]?.lastSeenAt ?? null) : null,
  }
}

function filterOf(viewer: Viewer, query: MemberQuery): Prisma.ConsoleUserWhereInput {
  const { brandId } = brandFilter(viewer, 'members.read', query.brand)
  const ofBrands: Prisma.MembershipWhereInput = brandId === undefined ? {} : { brandId }
  const { role } = query
  const and: Prisma.ConsoleUserWhereInput[] = []
  if (brandId !== undefined) and.push({ memberships: { some: ofBrands } })
  if (role === 'manager' || role === 'viewer') and.push({ memberships: { some: { ...ofBrands, role } } })
  else if (role)
    and.push(brandsWhere(viewer, 'members.read') === 'all' ? { providerRole: role } : { id: { in: [] } })
  if (query.search) {
    const contains = { contains: query.search, mode: 'insensitive' } as const
    and.push({ OR: [{ email: contains }, { name: contains }] })
  }
  if (query.state) and.push({ disabledAt: query.state === 'disabled' ? { not: null } : null })
  return { AND: and }
}

/**
 * A page of the console's users, by e-mail address.
 *
 * @throws ForbiddenError for a Brand that is not the viewer's
 */
export async function listMembers(
  viewer: Viewer,
  query: MemberQuery & { limit?: number },
): Promise<{ members: Member[]; before?: string; after?: string }> {
  const size = pageSizeOf(query)
  const brands = brandsWhere(viewer, 'members.read')
  const where = filterOf(viewer, query)
  const backwards = query.before !== undefined
  const cursor = query.before ?? query.after
  const beyond = cursor === undefined ? {} : { email: backwards ? { lt: cursor } : { gt: cursor } }
  const rows = await prisma().consoleUser.findMany({
    where: { AND: [where, beyond] },
    include: parts(brands),
    orderBy: { email: backwards ? 'desc' : 'asc' },
    take: size + 1,
  })
  const more = rows.length > size
  const shown = rows.slice(0, size)
  if (backwards) shown.reverse()
  const first = shown[0]?.email
  const last = shown.at(-1)?.email
  return {
    members: shown.map((row) => toMember(row, brands)),
    ...(first !== undefined && (backwards ? more : cursor !== undefined) ? { before: first } : {}),
    ...(last !== undefined && (backwards || more) ? { after: last } : {}),
  }
}

/** One user. @throws ForbiddenError for one whom the viewer may not see, and for one who does not exist */
export async function getMember(viewer: Viewer, userId: string): Promise<Member> {
  const brands = brandsWhere(viewer, 'members.read')
  const { brandId } = brandFilter(viewer, 'members.read')
  const visible = brandId === undefined ? {} : { memberships: { some: { brandId } } }
  const where = { AND: [{ id: userId }, visible] }
  const row = z.uuid().safeParse(userId).success
    ? await prisma().consoleUser.findFirst({ where, include: parts(brands) })
    : null
  if (!row) throw new ForbiddenError('no such user')
  return toMember(row, brands)
}
