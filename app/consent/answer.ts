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
  'list-ended': 410,
  'list-form': 400,
  replayed: 400,
  forged: 400,
  stale: 400,
  'bad-form': 400,
  unreachable: 503,
  failure: 500,
  'too-many-attempts': 429,
  'signed-out': 200,
}

/**
 * Where forms may lead. Browsers hold every redirect that follows to it, and from the Brand's page on those are the Brand's:
 * to `www.`, to a single sign-on. The pages have no script, and nothing that others wrote is markup in them, so that no
 * form leads anywhere but to the Provider by itself.
 */
function formTargets(): string {
  const loopback = config().allowLoopback ? ['http://localhost:*', 'http://127.0.0.1:*'] : []
  return ['https:', "'self'", ...loopback].join(' ')
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
    `form-action ${formTargets()}`,
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

/** A plain page that says what happened and what to do. @param options.loginUrl where another login helps */
export async function answerProblem(
  problem: Problem,
  options: Options & { retryAfter?: number; loginUrl?: string | undefined },
): Promise<Response> {
  const { brand, retryAfter, loginUrl } = options
  const grantsUrl = brand && userPages(brand.id).grantsUrl
  const content = ProblemPage({ problem, grantsUrl, loginUrl })
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
