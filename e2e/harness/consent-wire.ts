import { interfaceUrl } from '#lib/brands/addresses.ts'
import { userPages } from '#lib/brands/user-pages.ts'
import { startDeviceAuthorization } from '#lib/delegation/device-authorization.ts'
import { CLIENT_ADDRESS_HEADER } from '#lib/platform/client-address.ts'
import { type AssertionParts, startBrandLogin } from './brand-login.ts'
import { openDelegatingDatabase, provideDelegation, SCOPES } from './delegating-brand.ts'

/** A page of the Provider as a browser without scripts sees it. */
export type SeenPage = {
  status: number
  headers: Headers
  text: string
  title: string
  fields: URLSearchParams
  location: URL | undefined
  cookies: string[]
}

type Handler = (request: Request, route: { params: Promise<{ brandId: string }> }) => Promise<Response>

function readFields(markup: string): URLSearchParams {
  const fields = new URLSearchParams()
  for (const [input] of markup.matchAll(/<input [^>]*>/g)) {
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1]
    if (attribute('name') !== undefined) fields.append(attribute('name') ?? '', attribute('value') ?? '')
  }
  return fields
}

async function see(response: Response): Promise<SeenPage> {
  const text = await response.text()
  const location = response.headers.get('Location')
  return {
    status: response.status,
    headers: response.headers,
    text,
    title: /<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? '',
    fields: readFields(text),
    location: location === null ? undefined : new URL(location),
    cookies: response.headers.getSetCookie(),
  }
}

type Visit = {
  brandId: string
  form?: URLSearchParams | Record<string, string>
  cookie?: string | undefined
  /** Who sent the form, as a browser says; without it the Brand sends assertions, and our own page everything else. */
  site?: 'same-origin' | 'cross-site' | undefined
  /** Where it comes from, as `server.ts` says. */
  address?: string
}

/** Calls a page's route file as Next does. */
export async function visit(handler: Handler, url: string, visited: Visit): Promise<SeenPage> {
  const { brandId, form, cookie, site, address } = visited
  const headers = new Headers(cookie === undefined ? {} : { Cookie: cookie })
  const isAssertion = form !== undefined && new URLSearchParams(form).has('assertion')
  headers.set('Sec-Fetch-Site', site ?? (isAssertion ? 'cross-site' : 'same-origin'))
  if (address !== undefined) headers.set(CLIENT_ADDRESS_HEADER, address)
  const body = form && new URLSearchParams(form)
  const request = new Request(url, body ? { method: 'POST', headers, body } : { headers })
  return see(await handler(request, { params: Promise.resolve({ brandId }) }))
}

const nobody = (name: string) => ({
  name,
  issuer: `https://${name}.example`,
  jwksUri: `https://${name}.example/jwks.json`,
  privateJwk: {},
})

const scopeTexts = SCOPES.map((id) => ({ id, description: `May do ${id}` }))

/** The consent pages on a database of their own, with a Brand whose login is played. */
export async function openConsentingBrand(options: { afterConsent?: boolean } = {}) {
  const login = await startBrandLogin()
  const database = await openDelegatingDatabase()
  const { afterConsentUrl, ...settings } = login.settings
  const agents = [nobody('first'), nobody('second')]
  const provide = (scopes: readonly { id: string; description: string }[] = scopeTexts) =>
    provideDelegation(agents, {
      login: options.afterConsent === false ? settings : { ...settings, afterConsentUrl },
      grantDays: 30,
      scopes,
    })
  await provide()
  const pages = userPages(database.brandId)
  return {
    ...database,
    ...pages,
    login,
    interfaceUrl: interfaceUrl(database.brandId),
    provideScopes: provide,
    /** A user code that asks for these scopes. */
    async ask(scopes: readonly string[] = ['orders:read'], caller = database.caller) {
      return startDeviceAuthorization({ brand: await database.brand(), caller, scopes })
    },
    assert: (userCode: string, parts: AssertionParts = {}) =>
      login.sign(pages.consentUrl, { ...parts, claims: { user_code: userCode, ...parts.claims } }),
    async close() {
      await database.close()
      await login.close()
    },
  }
}

export type ConsentingBrand = Awaited<ReturnType<typeof openConsentingBrand>>
