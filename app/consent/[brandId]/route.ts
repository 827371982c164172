import { acceptAssertion, answerConsent, openConsent } from '#lib/delegation/consent.ts'
import { answerProblem, answerSeeOther } from '../answer.ts'
import { type BrandRoute, serveBrandPage } from '../brand.ts'
import { readForm } from '../form.ts'
import { answerStep, grantsLoginLink } from '../steps.tsx'
import { readUserSession } from '../user-session-cookie.ts'

export const dynamic = 'force-dynamic'

/** §5.3: the link. It leads to the Brand's login, or with a live session to consent. */
export function GET(request: Request, route: BrandRoute): Promise<Response> {
  return serveBrandPage(route, async (brand) => {
    const { searchParams } = new URL(request.url)
    // Who comes without an assertion has not logged in yet.
    if (searchParams.get('view') === 'grants') return answerSeeOther(grantsLoginLink(brand), { brand })
    const userCode = searchParams.get('user_code') ?? undefined
    return answerStep(brand, await openConsent(brand, { userCode, userSession: readUserSession(request) }))
  })
}

/** §5.3: the Brand's login assertion, or the User's decision. */
export function POST(request: Request, route: BrandRoute): Promise<Response> {
  return serveBrandPage(route, async (brand) => {
    const form = await readForm(request)
    const assertion = form?.fields.get('assertion')
    if (assertion !== undefined) return answerStep(brand, await acceptAssertion(brand, assertion))
    const decision = form?.fields.get('decision')
    const pageToken = form?.fields.get('session')
    if (!form || pageToken === undefined || (decision !== 'allow' && decision !== 'deny')) {
      return answerProblem('bad-form', { brand })
    }
    const answer = {
      pageToken,
      userCode: form.fields.get('user_code') ?? '',
      userSession: readUserSession(request),
      choice: { decision, checked: form.scopes },
    } as const
    return answerStep(brand, await answerConsent(brand, answer))
  })
}
