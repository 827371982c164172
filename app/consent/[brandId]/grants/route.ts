import { userPages } from '#lib/brands/user-pages.ts'
import type { Account } from '#lib/delegation/assertion.ts'
import { revokeGrant, withdrawScope } from '#lib/delegation/grants.ts'
import { isPageSecret } from '#lib/delegation/page-token.ts'
import { endSession, findSession } from '#lib/delegation/user-session.ts'
import { answerProblem, answerSeeOther } from '../../answer.ts'
import { type BrandRoute, serveBrandPage } from '../../brand.ts'
import { type Form, readForm } from '../../form.ts'
import { GRANTS_PURPOSE, showGrants } from '../../grants.tsx'
import { grantsLoginLink } from '../../steps.tsx'
import { buildUserSessionCookies, readUserSession } from '../../user-session-cookie.ts'

export const dynamic = 'force-dynamic'

const messages = new Map([
  ['withdrawn', 'Withdrawn. It counts from this moment.'],
  ['unchanged', 'That was withdrawn before.'],
])

/** What a User has allowed; without a live session the Brand's login comes first. */
export function GET(request: Request, route: BrandRoute): Promise<Response> {
  return serveBrandPage(route, async (brand) => {
    const userSession = readUserSession(request)
    const account = userSession && (await findSession(brand.id, 'user', userSession))
    if (!userSession || !account) return answerSeeOther(grantsLoginLink(brand), { brand })
    const message = messages.get(new URL(request.url).searchParams.get('done') ?? '')
    return showGrants(brand, { account, userSession, message })
  })
}

/** Takes back a scope or a grant; undefined when the form asks for neither. */
function takeBack(brandId: string, { brandUserId }: Account, form: Form): Promise<boolean> | undefined {
  const action = form.fields.get('action')
  const grantId = form.fields.get('grant')
  const [scope] = form.scopes
  if (grantId === undefined) return undefined
  const revoker = { brandId, grantId, brandUserId, by: 'user' } as const
  if (action === 'revoke') return revokeGrant(revoker)
  return action === 'withdraw' && scope !== undefined ? withdrawScope({ ...revoker, scope }) : undefined
}

/** What a User takes back. The form proves that it comes from the page that this session was shown. */
export function POST(request: Request, route: BrandRoute): Promise<Response> {
  return serveBrandPage(route, async (brand) => {
    const form = await readForm(request)
    const userSession = readUserSession(request)
    const account = userSession && (await findSession(brand.id, 'user', userSession))
    if (!userSession || !account) return answerProblem('session-ended', { brand })
    if (!form || !isPageSecret(form.fields.get('session') ?? '', userSession, GRANTS_PURPOSE)) {
      return answerProblem('bad-form', { brand })
    }
    if (form.fields.get('action') === 'sign-out') {
      await endSession(brand.id, 'user', userSession)
      return answerProblem('signed-out', { brand, cookies: buildUserSessionCookies(brand.id, undefined) })
    }
    const taken = takeBack(brand.id, account, form)
    if (!taken) return answerProblem('bad-form', { brand })
    const { grantsUrl } = userPages(brand.id)
    return answerSeeOther(`${grantsUrl}?done=${(await taken) ? 'withdrawn' : 'unchanged'}`, { brand })
  })
}
