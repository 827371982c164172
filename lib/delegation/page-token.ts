import { createHmac, timingSafeEqual } from 'node:crypto'
import { findSession, type Login, type SessionPurpose } from './user-session.ts'

/** One consent page: of which authorization, and showing exactly what. */
export type ShownPage = {
  authorizationId: string
  /** Of the view that was shown. */
  digest: string
}

const PAGE_TOKEN = /^([0-9a-f-]{36})\.([\w-]{43})\.([\w-]{43})$/

/** For which a page's session is stored: another authorization, or another view, and it is not found. */
export function pagePurpose({ authorizationId, digest }: ShownPage): SessionPurpose {
  return `consent ${authorizationId} ${digest}`
}

/** The hidden field `session` of a consent page. */
export function formatPageToken({ authorizationId, digest }: ShownPage, secret: string): string {
  return `${authorizationId}.${digest}.${secret}`
}

/** Reads {@link formatPageToken}'s text; undefined when it is none. Nothing in it is verified. */
export function readPageToken(text: string): { page: ShownPage; secret: string } | undefined {
  const [, authorizationId, digest, secret] = PAGE_TOKEN.exec(text) ?? []
  if (authorizationId === undefined || digest === undefined || secret === undefined) return undefined
  return { page: { authorizationId, digest }, secret }
}

/** A secret for one purpose that only the holder of the browser's session can have got: nothing is stored for it. */
export function derivePageSecret(userSession: string, purpose: string): string {
  return createHmac('sha256', userSession).update(purpose).digest('base64url')
}

/** Tells, in constant time, whether `secret` is what {@link derivePageSecret} gave. */
export function isPageSecret(secret: string, userSession: string, purpose: string): boolean {
  const [given, right] = [Buffer.from(secret), Buffer.from(derivePageSecret(userSession, purpose))]
  return given.length === right.length && timingSafeEqual(given, right)
}

/**
 * Finds the User to whom a consent page was shown: by the page's own session, which the Brand's login opened, or by the
 * browser's session from which the page's secret was derived.
 *
 * @param userSession the browser's session, if it sent one
 */
export async function findPageLogin(
  brandId: string,
  { page, secret }: { page: ShownPage; secret: string },
  userSession: string | undefined,
): Promise<Login | undefined> {
  const purpose = pagePurpose(page)
  const login = await findSession(brandId, purpose, secret)
  if (login || userSession === undefined) return login
  return isPageSecret(secret, userSession, purpose) ? findSession(brandId, 'user', userSession) : undefined
}
