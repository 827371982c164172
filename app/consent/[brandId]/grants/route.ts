import { findGrantsSender, findGrantsViewer } from '#lib/delegation/consent-grants.ts'
import { answerProblem, answerSeeOther } from '../../answer.ts'
import { type BrandRoute, serveBrandPage } from '../../brand.ts'
import { readForm } from '../../form.ts'
import { grantsLoginLink, showGrants } from '../../grants.tsx'
import { answerTaken, changeAccount, signOut } from '../../grants-answer.ts'
import { describeDone, takeBack } from '../../take-back.ts'
import { readGrantsPage, readUserSession } from '../../user-session-cookie.ts'

export const dynamic = 'force-dynamic'

/** What a User has allowed; where nobody is logged in the Brand's login comes first. */
export function GET(request: Request, route: BrandRoute): Promise<Response> {
  return serveBrandPage(route, async (brand) => {
    const cookies = { userSession: readUserSession(request), pageSecret: readGrantsPage(request) }
    const viewer = await findGrantsViewer(brand.id, cookies)
    if (!viewer) return answerSeeOther(grantsLoginLink(brand), { brand })
    const done = new URL(request.url).searchParams.get('done') ?? undefined
    const message = await describeDone(brand, done, viewer.login.brandUserId)
    return showGrants(brand, viewer, { message })
  })
}

/** What a User takes back. The form proves that it comes from a page that was shown to this very User. */
export function POST(request: Request, route: BrandRoute): Promise<Response> {
  return serveBrandPage(route, async (brand) => {
    const form = await readForm(request)
    if (!form) return answerProblem('list-form', { brand })
    const secret = form.fields.get('session') ?? ''
    const sender = await findGrantsSender(brand.id, secret, readUserSession(request))
    if (!sender) return answerProblem('list-ended', { brand })
    const action = form.fields.get('action')
    if (action === 'sign-out') return signOut(brand, sender, request)
    if (action === 'change-account') return changeAccount(brand, sender, request)
    const taken = takeBack(brand.id, sender.login, form)
    if (!taken) return answerProblem('list-form', { brand })
    return answerTaken(brand, sender, request, (await taken) ?? 'nothing')
  })
}
