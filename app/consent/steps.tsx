import { CodePage } from '#components/consent/code-page.tsx'
import { ConsentPage } from '#components/consent/consent-page.tsx'
import { OutcomePage } from '#components/consent/outcome-page.tsx'
import type { Brand } from '#lib/brands/brand.ts'
import { userPages } from '#lib/brands/user-pages.ts'
import type { ConsentStep } from '#lib/delegation/consent.ts'
import type { Outcome } from '#lib/delegation/consent-choice.ts'
import { describeBrand } from '#lib/delegation/consent-view.ts'
import { formatUserCode, readUserCode } from '#lib/delegation/opaque-codes.ts'
import { buildLoginLink } from '#lib/delegation/verification-uri.ts'
import { answerPage, answerProblem, answerSeeOther } from './answer.ts'
import { showGrants } from './grants.tsx'
import { buildUserSessionCookies } from './user-session-cookie.ts'

/** Which Brand offers delegation, so that there is something to show. */
export type OfferingBrand = Brand & { delegation: NonNullable<Brand['delegation']> }

/** A link to the Brand's login, for this user code (its eight letters) if there is one. */
function loginLink(brand: OfferingBrand, userCode: string | undefined): string {
  const { consentUrl } = userPages(brand.id)
  const query = userCode === undefined ? '' : `?user_code=${formatUserCode(userCode)}`
  return buildLoginLink(brand.delegation.login.url, consentUrl + query)
}

/** A link to the Brand's login, from which a User comes back to see what they have allowed. */
export function grantsLoginLink(brand: OfferingBrand): string {
  return buildLoginLink(brand.delegation.login.url, userPages(brand.id).grantsLoginReturn)
}

/** Where the Brand wants the User after consent, and what it is told. */
function outcomeUrl(afterConsentUrl: string, { status, client, scopes }: Outcome): string {
  const url = new URL(afterConsentUrl)
  url.searchParams.set('status', status)
  url.searchParams.set('client', client)
  url.searchParams.set('scope', scopes.map(({ id }) => id).join(' '))
  return url.href
}

function answerOutcome(brand: OfferingBrand, outcome: Outcome, userSession: string | undefined) {
  const cookies = userSession === undefined ? [] : buildUserSessionCookies(brand.id, userSession)
  const { afterConsentUrl } = brand.delegation.login
  if (afterConsentUrl !== undefined) {
    return answerSeeOther(outcomeUrl(afterConsentUrl, outcome), { brand, cookies })
  }
  const { grantsUrl } = userPages(brand.id)
  const title = outcome.status === 'approved' ? 'Allowed' : 'Nothing was allowed'
  return answerPage(<OutcomePage outcome={outcome} grantsUrl={grantsUrl} />, { brand, cookies, title })
}

/** Shows a User what comes next. */
export async function answerStep(brand: OfferingBrand, step: ConsentStep): Promise<Response> {
  const { consentUrl } = userPages(brand.id)
  switch (step.kind) {
    case 'login':
      return answerSeeOther(loginLink(brand, step.userCode), { brand })
    case 'enter-code':
      return answerPage(<CodePage brand={describeBrand(brand)} consentUrl={consentUrl} />, {
        brand,
        title: brand.name,
      })
    case 'consent': {
      const { view, pageToken, changed } = step
      const loginUrl = loginLink(brand, readUserCode(view.userCode))
      const page = { view, pageToken, changed, loginUrl, consentUrl }
      return answerPage(<ConsentPage {...page} />, { brand, title: view.texts.title })
    }
    case 'outcome':
      return answerOutcome(brand, step.outcome, step.userSession)
    case 'grants':
      return showGrants(brand, { ...step, cookies: buildUserSessionCookies(brand.id, step.userSession) })
    case 'problem':
      return answerProblem(step.problem, { ...step, brand })
  }
}
