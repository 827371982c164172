import { CodePage } from '#components/consent/code-page.tsx'
import { ConsentPage } from '#components/consent/consent-page.tsx'
import { LoginTestedPage, loginTestedTitle } from '#components/consent/login-tested-page.tsx'
import { OutcomePage, titleOfOutcome } from '#components/consent/outcome-page.tsx'
import { userPages } from '#lib/brands/user-pages.ts'
import type { LoginPurpose } from '#lib/delegation/assertion.ts'
import type { Outcome } from '#lib/delegation/consent-choice.ts'
import type { ConsentStep } from '#lib/delegation/consent-step.ts'
import { describeAccount, describeBrand } from '#lib/delegation/consent-view.ts'
import { formatUserCode, readUserCode } from '#lib/delegation/opaque-codes.ts'
import { buildLoginLink } from '#lib/delegation/verification-uri.ts'
import { answerPage, answerProblem, answerSeeOther } from './answer.ts'
import { grantsLoginLink, type OfferingBrand, showGrants } from './grants.tsx'
import { buildGrantsPageCookie, buildUserSessionCookies } from './user-session-cookie.ts'

/** A link to the Brand's login, for this user code (its eight letters) if there is one. */
function loginLink(brand: OfferingBrand, userCode: string | undefined): string {
  const { consentUrl } = userPages(brand.id)
  const query = userCode === undefined ? '' : `?user_code=${formatUserCode(userCode)}`
  return buildLoginLink(brand.delegation.login.url, consentUrl + query)
}

/** A link to another login of the same purpose. */
function loginAgain(brand: OfferingBrand, purpose: LoginPurpose): string {
  if (purpose === 'grants') return grantsLoginLink(brand)
  return loginLink(brand, purpose === 'enter-code' ? undefined : purpose.userCode)
}

/** Where the Brand wants the User after consent, and what it is told. */
function outcomeUrl(afterConsentUrl: string, { status, client, scopes }: Outcome): string {
  const url = new URL(afterConsentUrl)
  url.searchParams.set('status', status)
  url.searchParams.set('client', client)
  url.searchParams.set('scope', scopes.map(({ id }) => id).join(' '))
  return url.href
}

function answerOutcome(brand: OfferingBrand, outcome: Outcome, cookies: string[]) {
  const { afterConsentUrl } = brand.delegation.login
  if (afterConsentUrl !== undefined) {
    return answerSeeOther(outcomeUrl(afterConsentUrl, outcome), { brand, cookies })
  }
  const { grantsUrl } = userPages(brand.id)
  const page = <OutcomePage outcome={outcome} grantsUrl={grantsUrl} />
  return answerPage(page, { brand, cookies, title: titleOfOutcome(outcome) })
}

/** Shows a User what comes next. */
export async function answerStep(brand: OfferingBrand, step: ConsentStep): Promise<Response> {
  const { consentUrl, grantsUrl } = userPages(brand.id)
  switch (step.kind) {
    case 'login':
      return answerSeeOther(loginLink(brand, step.userCode), { brand })
    case 'enter-code': {
      const { account, pageToken, unknown } = step
      const page = { brand: describeBrand(brand), account: describeAccount(account), consentUrl, pageToken }
      const content = <CodePage {...page} loginUrl={loginLink(brand, undefined)} unknown={unknown} />
      return answerPage(content, { brand, title: brand.name, status: unknown ? 404 : 200 })
    }
    case 'consent': {
      const { view, pageToken, changed } = step
      const loginUrl = loginLink(brand, readUserCode(view.userCode))
      const page = { view, pageToken, changed, loginUrl, consentUrl, grantsUrl }
      return answerPage(<ConsentPage {...page} />, { brand, title: view.texts.title })
    }
    case 'outcome':
      return answerOutcome(
        brand,
        step.outcome,
        step.session ? buildUserSessionCookies(brand.id, step.session) : [],
      )
    case 'grants': {
      const viewer = { login: step.login, formSecret: step.pageSecret, conflict: undefined }
      return showGrants(brand, viewer, { cookies: [buildGrantsPageCookie(brand.id, step.pageSecret)] })
    }
    case 'see-grants':
      return answerSeeOther(grantsUrl, { brand })
    case 'login-tested':
      return answerPage(<LoginTestedPage />, { brand, title: loginTestedTitle })
    case 'problem': {
      const again = 'again' in step ? step.again : undefined
      return answerProblem(step.problem, { ...step, brand, loginUrl: again && loginAgain(brand, again) })
    }
  }
}
