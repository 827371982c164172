import { createHash, randomBytes } from 'node:crypto'
import { config } from '#lib/platform/config.ts'
import { prisma } from '#lib/platform/database.ts'
import { type Actor, appendAudit } from './audit.ts'
import { assertMay, brandFilter, brandsWhere, ForbiddenError, may, type Viewer } from './permissions.ts'
import { type ConsoleUserSettings, consoleUserSchema } from './schema.ts'

/** How long a link works, in days. */
export const INVITATION_DAYS = 7
const LISTED = 200

export type InvitedRole = ConsoleUserSettings['roles'][number]

export function hashInvitationToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest())
}

/** The link that somebody gets. The token stands in the query, which is not logged. */
export function invitationLink(token: string): string {
  return `${config().providerUrl}/admin/sign-in/invitation?token=${token}`
}

/** Whether a viewer may give all these roles. */
export function mayGive(viewer: Viewer, roles: readonly InvitedRole[]): boolean {
  return roles.every((role) => may(viewer, 'members.write', 'brand' in role ? role.brand : undefined))
}

function assertMayGive(viewer: Viewer, roles: readonly InvitedRole[]): void {
  for (const role of roles) assertMay(viewer, 'members.write', 'brand' in role ? role.brand : undefined)
}

/** Whoever sees one role of an invitation and not the others sees that one alone. */
function rolesSeenBy(viewer: Viewer, roles: readonly InvitedRole[]): InvitedRole[] {
  return roles.filter((role) => may(viewer, 'members.read', 'brand' in role ? role.brand : undefined))
}

/**
 * Invites somebody by a link that works once. Whether there is such a user already is not said.
 *
 * @returns the link, which nobody can show again
 * @throws ForbiddenError for a role that the viewer may not give; an unknown Brand is one
 */
export async function inviteMember(
  viewer: Viewer,
  actor: Actor,
  { email, roles }: ConsoleUserSettings,
): Promise<{ id: string; link: string; expiresAt: Date }> {
  assertMayGive(viewer, roles)
  const brandIds = roles.flatMap((role) => ('brand' in role ? [role.brand] : []))
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + INVITATION_DAYS * 86_400_000)
  return prisma().$transaction(async (transaction) => {
    const known = await transaction.brand.count({ where: { id: { in: brandIds } } })
    if (known !== new Set(brandIds).size) throw new ForbiddenError('no such Brand')
    const data = { email, roles, tokenHash: hashInvitationToken(token), invitedBy: viewer.userId, expiresAt }
    const { id } = await transaction.invitation.create({ data })
    const [brandId] = brandIds
    await appendAudit(transaction, [
      {
        actor,
        action: 'invitation.create',
        subject: email,
        after: { roles },
        ...(brandId ? { brandId } : {}),
      },
    ])
    return { id, link: invitationLink(token), expiresAt }
  })
}

export type OpenInvitation = {
  id: string
  email: string
  roles: InvitedRole[]
  createdAt: Date
  expiresAt: Date
  mayRevoke: boolean
}

/**
 * Whether the inviter sees the link. A Brand's people do not where it can be mailed: whoever has it counts as the owner of
 * the address.
 */
export function seesLink(viewer: Viewer): boolean {
  return viewer.providerRole === 'admin' || config().smtp === undefined
}

/** Notes that an invitation's link went to its address, and to nobody else. */
export async function noteMailedOnly(id: string): Promise<void> {
  await prisma().invitation.update({ where: { id }, data: { mailedAt: new Date() } })
}

/** Stored by {@link inviteMember} alone, and checked again all the same. */
export function readRoles(stored: unknown): InvitedRole[] {
  const parsed = consoleUserSchema.shape.roles.safeParse(stored)
  return parsed.success ? parsed.data : []
}

/** The names of the Brands at which an invitation gives roles, by their ids: for whoever holds its link. */
export async function findInvitedBrands(roles: readonly InvitedRole[]): Promise<Map<string, string>> {
  const ids = roles.flatMap((role) => ('brand' in role ? [role.brand] : []))
  const brands = await prisma().brand.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true },
  })
  return new Map(brands.map(({ id, name }) => [id, name]))
}

type Row = { id: string; email: string; roles: unknown; createdAt: Date; expiresAt: Date }

/** The invitations that still wait, newest first; of a Brand's people, those to their Brands. */
export async function listInvitations(viewer: Viewer, chosen?: string): Promise<OpenInvitation[]> {
  brandFilter(viewer, 'members.read', chosen)
  const brands = chosen === undefined ? brandsWhere(viewer, 'members.read') : [chosen]
  const all = brands === 'all'
  const rows = await prisma().$queryRaw<Row[]>`
    SELECT "id", "email", "roles", "createdAt", "expiresAt" FROM "Invitation"
    WHERE "acceptedAt" IS NULL AND "revokedAt" IS NULL AND "expiresAt" > now()
      AND (${all} OR EXISTS (
        SELECT FROM jsonb_array_elements("roles") AS "role" WHERE "role" ->> 'brand' = ANY(${all ? [] : brands})))
    ORDER BY "createdAt" DESC, "id" LIMIT ${LISTED}`
  return rows.map(({ roles: stored, ...row }) => {
    const roles = readRoles(stored)
    return { ...row, roles: rolesSeenBy(viewer, roles), mayRevoke: mayGive(viewer, roles) }
  })
}

/**
 * Takes an invitation back.
 *
 * @returns false when it was accepted or taken back before
 * @throws ForbiddenError for one whose roles the viewer may not give, and for one that does not exist
 */
export async function revokeInvitation(viewer: Viewer, actor: Actor, id: string): Promise<boolean> {
  return prisma().$transaction(async (transaction) => {
    const invitation = await transaction.invitation.findUnique({ where: { id } })
    if (!invitation) throw new ForbiddenError('no such invitation')
    const roles = readRoles(invitation.roles)
    assertMayGive(viewer, roles)
    const { count } = await transaction.invitation.updateMany({
      where: { id, acceptedAt: null, revokedAt: null },
      data: { revokedAt: new Date() },
    })
    if (count !== 1) return false
    const brandId = roles.flatMap((role) => ('brand' in role ? [role.brand] : []))[0]
    await appendAudit(transaction, [
      { actor, action: 'invitation.revoke', subject: invitation.email, ...(brandId ? { brandId } : {}) },
    ])
    return true
  })
}
