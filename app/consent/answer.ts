import type { ReactElement } from 'react'
import { Document } from '#components/consent/document.tsx'
import { type Problem, ProblemPage, titleOf } from '#components/consent/problem-page.tsx'
import type { Brand } from '#lib/brands/brand.ts'
import { userPages } from '#lib/brands/user-pages.ts'
import { config } from '#lib/platform/config.ts'

const statuses: Record<Problem, number> = {
  unknown: 404,
  'no-brand': 404,
  expired: 410,
  used: 410,
  'session-ended': 410,
  replayed: 400,
  forged: 400,
  stale: 400,
  'bad-form': 400,
  unreachable: 503,
  failure: 500,
  'too-many-attempts': 429,
  'signed-out': 200,
}

/** Where forms may lead: to the Provider, and from there on to the Brand. Browsers check redirects too. */
function formTargets(brand: Brand | undefined): string {
  const login = brand?.delegation?.login
  const urls = [config().providerUrl, login?.url, login?.afterConsentUrl]
  const origins = urls.filter((url) => url !== undefined).map((url) => new URL(url).origin)
  return [...new Set(origins)].join(' ')
}

function logoOrigin(brand: Brand | undefined): string {
  const logoUrl = brand?.delegation?.appearance?.logoUrl
  return logoUrl === undefined ? '' : ` ${new URL(logoUrl).origin}`
}

/** No script, no framing, nothing kept, and no address told to anyone. */
function headersFor(brand: Brand | undefined): Headers {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    `img-src data:${logoOrigin(brand)}`,
    `form-action ${formTargets(brand)}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return new Headers({
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  })
}

type Options = { brand: Brand | undefined; cookies?: readonly string[] }

function withCookies(headers: Headers, cookies: readonly string[] = []): Headers {
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return headers
}

/** A page for a User. */
export async function answerPage(
  content: ReactElement,
  options: Options & { title: string; status?: number },
): Promise<Response> {
  const { brand, cookies, title, status = 200 } = options
  // Next refuses the import at a module's top, where it would be for components that run on the server.
  const { renderToStaticMarkup } = await import('react-dom/server')
  const { basePath } = userPages(brand?.id ?? '')
  const markup = renderToStaticMarkup(Document({ title, basePath, children: content }))
  const headers = withCookies(headersFor(brand), cookies)
  headers.set('Content-Type', 'text/html; charset=utf-8')
  return new Response(`<!doctype html>${markup}`, { status, headers })
}

/** A plain page that says what happened and what to do. */
export async function answerProblem(
  problem: Problem,
  options: Options & { retryAfter?: number },
): Promise<Response> {
  const { brand, retryAfter } = options
  const grantsUrl = brand && userPages(brand.id).grantsUrl
  const content = ProblemPage({ problem, grantsUrl })
  const response = await answerPage(content, {
    ...options,
    title: titleOf(problem),
    status: statuses[problem],
  })
  if (retryAfter !== undefined) response.headers.set('Retry-After', String(retryAfter))
  return response
}

/** RFC 9110 §15.4.4: goes on with GET. @param url of the Provider or of the Brand's settings, never of a request */
export function answerSeeOther(url: string, options: Options): Response {
  const headers = withCookies(headersFor(options.brand), options.cookies)
  headers.set('Location', url)
  return new Response(null, { status: 303, headers })
}
