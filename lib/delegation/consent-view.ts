import { createHash } from 'node:crypto'
import type { Brand } from '#lib/brands/brand.ts'
import { getProvider } from '#lib/identity/registry.ts'
import { prisma } from '#lib/platform/database.ts'
import { makeVisible } from '#lib/platform/text.ts'
import type { Account } from './assertion.ts'
import { type ConsentTexts, writeConsentTexts } from './consent-texts.ts'
import type { OpenAuthorization } from './device-authorization.ts'
import { findGrant } from './grants.ts'
import { formatUserCode } from './opaque-codes.ts'
import { describeScope, keepDefined } from './scopes.ts'

const DAY = 86_400_000

/** A scope as the User sees it (§5.2: its description verbatim), with a checkbox that is checked. */
export type ShownScope = {
  id: string
  description: string
  requested: boolean
  allowedBefore: boolean
}

/** Everything that a consent page shows (§5.3). Nothing else goes on it. */
export type ConsentView = {
  language: 'en'
  brand: { id: string; name: string; colour: string | undefined; logoUrl: string | undefined }
  personalAgent: { name: string; issuer: string; origin: string; verified: boolean }
  account: { id: string; name: string | undefined; email: string | undefined }
  userCode: string
  scopes: ShownScope[]
  texts: ConsentTexts
}

/** A personal agent as a User is told of it: who it is stands in the origin, in ASCII (RFC 5891). */
export function describePersonalAgent({ name, issuer }: { name: string; issuer: string }) {
  const { origin, href } = new URL(issuer)
  return { name: makeVisible(name), issuer: href, origin }
}

async function describeAsker(personalAgentId: string) {
  const found = await prisma().personalAgent.findUnique({ where: { id: personalAgentId, enabled: true } })
  return found && { ...describePersonalAgent(found), verified: found.origin === 'registered' }
}

/** A Brand as its Users know it. */
export function describeBrand({ name, delegation }: Brand) {
  const { colour, logoUrl } = delegation?.appearance ?? {}
  return { name: makeVisible(name), colour, logoUrl }
}

/** An account as a page names it. */
export function describeAccount({ brandUserId, name, email }: Account) {
  return { id: makeVisible(brandUserId), name, email }
}

/** Asked for first, then what is allowed besides; each group in the Brand's order. */
function listScopes({ delegation }: Brand, requested: readonly string[], allowed: readonly string[]) {
  const isRequested = (id: string) => requested.includes(id)
  const ids = keepDefined([...requested, ...allowed], delegation)
  const ordered = [...ids.filter(isRequested), ...ids.filter((id) => !isRequested(id))]
  return ordered.map((id) => ({
    id,
    description: describeScope(id, delegation),
    requested: isRequested(id),
    allowedBefore: allowed.includes(id),
  }))
}

/**
 * Gathers what a consent page shows to a User about an authorization.
 *
 * @param userCode its eight letters
 * @returns undefined when nothing can be asked: the personal agent is disabled, or the Brand has none of the scopes any more
 */
export async function buildConsentView(options: {
  brand: Brand
  authorization: OpenAuthorization
  account: Account
  userCode: string
}): Promise<ConsentView | undefined> {
  const { brand, authorization, account, userCode } = options
  const { brandUserId } = account
  const { personalAgentId, subject, requestedScopes } = authorization
  const [provider, personalAgent, grant] = await Promise.all([
    getProvider(),
    describeAsker(personalAgentId),
    findGrant({ brandId: brand.id, personalAgentId, subject, brandUserId }),
  ])
  const scopes = listScopes(brand, requestedScopes, grant?.scopes ?? [])
  if (!personalAgent || !brand.delegation || !scopes.some(({ requested }) => requested)) return undefined
  const brandName = makeVisible(brand.name)
  return {
    language: 'en',
    brand: { id: brand.id, ...describeBrand(brand) },
    personalAgent,
    account: describeAccount(account),
    userCode: formatUserCode(userCode),
    scopes,
    texts: writeConsentTexts({
      brand: brandName,
      provider: makeVisible(provider.organization),
      personalAgent,
      besides: scopes.some(({ requested }) => !requested),
      allowedBefore: scopes.some(({ allowedBefore }) => allowedBefore),
      grantDays: brand.delegation.grantTime / DAY,
    }),
  }
}

/** A fingerprint of everything on a page: two pages that say the same have the same. SHA-256, base64url. */
export function digestView(view: ConsentView): string {
  return createHash('sha256').update(JSON.stringify(view)).digest('base64url')
}
