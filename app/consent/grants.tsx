import { GrantsPage } from '#components/consent/grants-page.tsx'
import type { Brand } from '#lib/brands/brand.ts'
import { userPages } from '#lib/brands/user-pages.ts'
import { listAllowed } from '#lib/delegation/allowed.ts'
import type { GrantsViewer } from '#lib/delegation/consent-grants.ts'
import { GRANTS } from '#lib/delegation/consent-texts.ts'
import { describeAccount, describeBrand } from '#lib/delegation/consent-view.ts'
import { buildLoginLink } from '#lib/delegation/verification-uri.ts'
import { answerPage } from './answer.ts'

/** A Brand that offers delegation, so that there is something to show. */
export type OfferingBrand = Brand & { delegation: NonNullable<Brand['delegation']> }

/** A link to the Brand's login, from which a User comes back to see what they have allowed. */
export function grantsLoginLink(brand: OfferingBrand): string {
  return buildLoginLink(brand.delegation.login.url, userPages(brand.id).grantsLoginReturn)
}

/** Shows a logged-in User what they have allowed at a Brand. @param more.message what has just been done */
export async function showGrants(
  brand: OfferingBrand,
  { login, formSecret, conflict }: Omit<GrantsViewer, 'by'>,
  more: { message?: string | undefined; cookies?: readonly string[] } = {},
): Promise<Response> {
  const { message, cookies = [] } = more
  const page = (
    <GrantsPage
      brand={describeBrand(brand)}
      account={describeAccount(login)}
      grants={await listAllowed(brand, login.brandUserId)}
      message={message}
      conflict={
        conflict && {
          browser: describeAccount(conflict.browser),
          page: describeAccount(conflict.page),
          formSecret: conflict.pageSecret,
        }
      }
      grantsUrl={userPages(brand.id).grantsUrl}
      loginUrl={grantsLoginLink(brand)}
      formSecret={formSecret}
    />
  )
  return answerPage(page, { brand, cookies, title: GRANTS })
}
