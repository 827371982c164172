import type { Brand } from '#lib/brands/brand.ts'
import { describePersonalAgent } from './consent-view.ts'
import { type GrantReceipts, listReceiptsOfGrant } from './grant-receipts.ts'
import { listGrantsOfUser, type UserGrant } from './grants.ts'
import { describeScope } from './scopes.ts'

/** A grant as its User sees it. */
export type AllowedGrant = {
  id: string
  personalAgent: { name: string; issuer: string; origin: string }
  /** Which it is of several for the same personal agent, each for another `sub`: the earliest is number 1. */
  oneOf: { number: number; count: number } | undefined
  scopes: { id: string; description: string }[]
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | undefined
  receipts: GrantReceipts
}

/** @param grants the latest first */
function findNumber(grants: readonly UserGrant[], { id, personalAgent }: UserGrant): AllowedGrant['oneOf'] {
  const alike = grants.filter((other) => other.personalAgent.id === personalAgent.id)
  if (alike.length < 2) return undefined
  return { number: alike.length - alike.findIndex((other) => other.id === id), count: alike.length }
}

async function describeGrant(
  { id: brandId, delegation }: Brand,
  grant: UserGrant,
  oneOf: AllowedGrant['oneOf'],
): Promise<AllowedGrant> {
  const receipts = await listReceiptsOfGrant(brandId, grant.id)
  const { id, createdAt, expiresAt } = grant
  return {
    id,
    personalAgent: describePersonalAgent(grant.personalAgent),
    oneOf,
    // A scope that the Brand defines no more is still the User's to take back.
    scopes: grant.scopes.map((scope) => ({ id: scope, description: describeScope(scope, delegation) })),
    createdAt,
    expiresAt,
    lastUsedAt: grant.lastUsedAt ?? receipts.latest[0]?.issuedAt,
    receipts,
  }
}

/** Everything that a Brand user allows at this moment, the latest first, with what was done under it. */
export async function listAllowed(brand: Brand, brandUserId: string): Promise<AllowedGrant[]> {
  const grants = await listGrantsOfUser(brand.id, brandUserId)
  return Promise.all(grants.map((grant) => describeGrant(brand, grant, findNumber(grants, grant))))
}
