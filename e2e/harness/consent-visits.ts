import { redeemDeviceCode } from '#lib/delegation/redeem-device-code.ts'
import { prisma } from '#lib/platform/database.ts'
import { GET as getGrants, POST as postGrants } from '../../app/consent/[brandId]/grants/route.ts'
import { GET, POST } from '../../app/consent/[brandId]/route.ts'
import { openConsentingBrand, type SeenPage, visit } from './consent-wire.ts'

type FormFields = URLSearchParams | Record<string, string>

/** A page's own form, with these boxes left checked; without `scopes` all of them. */
export function choose(fields: URLSearchParams, decision: 'allow' | 'deny', scopes?: readonly string[]) {
  const form = new URLSearchParams(fields)
  form.append('decision', decision)
  if (!scopes) return form
  form.delete('scope')
  for (const scope of scopes) form.append('scope', scope)
  return form
}

/** The decision that was stored last. */
export const lastDecision = () =>
  prisma().consentDecision.findFirstOrThrow({ orderBy: { decidedAt: 'desc' } })

/** What a browser sends back of a page's first cookie. */
export const cookieOf = ({ cookies }: Pick<SeenPage, 'cookies'>) => cookies[0]?.split(';')[0] ?? ''

/** A session's cookie without its secret, and without the seconds that a slow machine has let pass since the login. */
export const withoutItsOwn = (cookie: string) =>
  cookie.replace(/=[\w-]{43};/, '=…;').replace(/Max-Age=(8[5-9]\d|900);/, 'Max-Age=900;')

let users = 0
/** A Brand user of a test's own. */
export const newUser = () => ({ sub: `user-${++users}`, name: 'Jane Doe', email: 'jane@example.com' })

/** A Brand whose Users' pages a test visits, on a database of their own. */
export async function openConsentVisits(options: { afterConsent?: boolean } = {}) {
  const brand = await openConsentingBrand(options)
  const { brandId, consentUrl, grantsUrl } = brand
  const post = (form: FormFields, cookie?: string, site?: 'cross-site') =>
    visit(POST, consentUrl, { brandId, form, cookie, site })
  return {
    brand,
    post,
    get: (query: string, cookie?: string) => visit(GET, consentUrl + query, { brandId, cookie }),
    /** The Brand's login, for this code. */
    login: async (userCode: string, claims: Record<string, unknown> = {}) =>
      post({ assertion: await brand.assert(userCode, { claims }) }),
    getGrants: (cookie?: string, query = '') => visit(getGrants, grantsUrl + query, { brandId, cookie }),
    postGrants: (form: FormFields, cookie?: string, site?: 'cross-site') =>
      visit(postGrants, grantsUrl, { brandId, form, cookie, site }),
    /** The scopes of the token that a device code gets, or why it gets none. */
    async redeem(deviceCode: string, caller = brand.caller) {
      const redeemed = await redeemDeviceCode({ brand: await brand.brand(), caller, deviceCode })
      return redeemed.ok ? redeemed.tokens.scopes : redeemed.error
    },
  }
}
