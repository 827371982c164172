import { GrantsPage } from '#components/consent/grants-page.tsx'
import type { Brand } from '#lib/brands/brand.ts'
import { userPages } from '#lib/brands/user-pages.ts'
import { listAllowed } from '#lib/delegation/allowed.ts'
import type { Account } from '#lib/delegation/assertion.ts'
import { describeBrand } from '#lib/delegation/consent-view.ts'
import { derivePageSecret } from '#lib/delegation/page-token.ts'
import { answerPage } from './answer.ts'

/** What the grants page's forms prove with their hidden field that they come from this very session. */
export const GRANTS_PURPOSE = 'grants'

type Shown = {
  account: Account
  userSession: string
  message?: string | undefined
  cookies?: readonly string[]
}

/** Shows a logged-in User what they have allowed at a Brand. */
export async function showGrants(brand: Brand, shown: Shown): Promise<Response> {
  const { account, userSession, message, cookies = [] } = shown
  const page = (
    <GrantsPage
      brand={describeBrand(brand)}
      account={{ ...account, id: account.brandUserId }}
      grants={await listAllowed(brand, account.brandUserId)}
      message={message}
      grantsUrl={userPages(brand.id).grantsUrl}
      csrfToken={derivePageSecret(userSession, GRANTS_PURPOSE)}
    />
  )
  return answerPage(page, { brand, cookies, title: 'What I have allowed' })
}
