import { userPages } from '#lib/brands/user-pages.ts'
import { acceptAssertion, openConsent } from '#lib/delegation/consent.ts'
import { answerCode, answerConsent } from '#lib/delegation/consent-answer.ts'
import { clientAddressOf } from '#lib/platform/client-address.ts'
import { answerProblem, answerSeeOther } from '../answer.ts'
import { type BrandRoute, serveBrandPage } from '../brand.ts'
import { readForm } from '../form.ts'
import { answerStep } from '../steps.tsx'
import { isFromOwnPage, readUserSession } from '../user-session-cookie.ts'

export const dynamic = 'force-dynamic'

/** §5.3: the link. It leads to the Brand's login, or with a live session to consent. */
export function GET(request: Request, route: BrandRoute): Promise<Response> {
  return serveBrandPage(route, async (brand) => {
    const { searchParams } = new URL(request.url)
    // Where a Brand links to it, or its login returns the User without an assertion.
    if (searchParams.get('view') === 'grants') {
      return answerSeeOther(userPages(brand.id).grantsUrl, { brand })
    }
    const userCode = searchParams.get('user_code') ?? undefined
    const address = clientAddressOf(request.headers)
    const opened = { userCode, userSession: readUserSession(request), address }
    return answerStep(brand, await openConsent(brand, opened))
  })
}

/** §5.3: the Brand's login assertion, the code that a User typed, or their decision. */
export function POST(request: Request, route: BrandRoute): Promise<Response> {
  return serveBrandPage(route, async (brand) => {
    const form = await readForm(request)
    const assertion = form?.fields.get('assertion')
    const address = clientAddressOf(request.headers)
    if (assertion !== undefined) return answerStep(brand, await acceptAssertion(brand, assertion, address))
    const pageToken = form?.fields.get('session')
    if (!form || pageToken === undefined) return answerProblem('bad-form', { brand })
    const userCode = form.fields.get('user_code') ?? ''
    if (form.fields.get('action') === 'enter-code') {
      return answerStep(brand, await answerCode(brand, { pageToken, userCode, address }))
    }
    const decision = form.fields.get('decision')
    if (decision !== 'allow' && decision !== 'deny') return answerProblem('bad-form', { brand })
    const choice = { decision, checked: form.scopes } as const
    const userSession = readUserSession(request)
    const answer = { pageToken, userCode, userSession, fromOwnPage: isFromOwnPage(request), choice }
    return answerStep(brand, await answerConsent(brand, answer))
  })
}
