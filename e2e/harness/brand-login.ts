import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { serveOnLoopback } from './played-server.ts'

export const LOGIN_KID = 'login-key'

/** How a played login signs: what is given replaces what is right; undefined removes it. */
export type AssertionParts = {
  claims?: Record<string, unknown>
  header?: Partial<JWTHeaderParameters>
  key?: CryptoKey
}

/** A Brand's login that a test plays. */
export type TestBrandLogin = {
  origin: string
  /** As a provision file has it. */
  settings: { url: string; issuer: string; jwksUri: string; afterConsentUrl: string }
  /** An assertion for one consent URL, right but for what is given. */
  sign(consentUrl: string, parts?: AssertionParts): Promise<string>
  /** As whom the page signs in, from here on. */
  signInAs(account: { sub: string; name?: string; email?: string }): void
  close(): Promise<void>
}

const inert = (text: string) => text.replace(/[&<>"]/g, (found) => `&#${found.charCodeAt(0)};`)

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20" fill="teal"/></svg>`

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><title>${title}</title><body><h1>${title}</h1>${body}`
}

async function sign(
  { issuer, privateKey }: { issuer: string; privateKey: CryptoKey },
  consentUrl: string,
  { claims = {}, header = {}, key = privateKey }: AssertionParts,
): Promise<string> {
  const iat = Math.floor(Date.now() / 1000)
  const right = { iss: issuer, aud: consentUrl, sub: 'jane-4471', jti: randomUUID(), iat, exp: iat + 120 }
  return new SignJWT({ ...right, ...claims } as JWTPayload)
    .setProtectedHeader({ alg: 'ES256', kid: LOGIN_KID, typ: 'JWT', ...header })
    .sign(key)
}

/**
 * Plays a Brand's login on a loopback port, after the Brand login contract: `/login` has one button, which posts an
 * assertion for the code on the link; `/after` is where consent ends, and `/moved` redirects there from another origin.
 */
export async function startBrandLogin(): Promise<TestBrandLogin> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const published = { keys: [{ ...(await exportJWK(publicKey)), kid: LOGIN_KID, alg: 'ES256', use: 'sig' }] }
  let account: { sub: string; name?: string; email?: string } = { sub: 'jane-4471' }
  let origin = ''

  const showLogin = async (query: URLSearchParams) => {
    const returnTo = new URL(query.get('return_to') ?? '')
    const consentUrl = returnTo.origin + returnTo.pathname
    const userCode = returnTo.searchParams.get('user_code') ?? undefined
    const view = returnTo.searchParams.get('view') ?? undefined
    const claims = { ...account, user_code: userCode, view }
    const assertion = await sign({ issuer: origin, privateKey }, consentUrl, { claims })
    const field = `<input type="hidden" name="assertion" value="${inert(assertion)}">`
    return page(
      'Sign in',
      `<form method="post" action="${inert(consentUrl)}">${field}<button>Sign in</button></form>`,
    )
  }

  const served = await serveOnLoopback(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/logo.svg') {
      response.setHeader('Content-Type', 'image/svg+xml')
      return void response.end(LOGO)
    }
    if (pathname === '/jwks.json') return void response.end(JSON.stringify(published))
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    if (pathname === '/login') return void response.end(await showLogin(searchParams))
    // As a Brand's site sends its visitors on to its www. host, or to a single sign-on: to another origin.
    if (pathname === '/moved') {
      const elsewhere = `${origin.replace('localhost', '127.0.0.1')}/after?${searchParams}`
      return void response.writeHead(302, { Location: elsewhere }).end()
    }
    if (pathname !== '/after') return void response.writeHead(404).end()
    response.end(
      page(`Back at the Brand: ${inert(searchParams.get('status') ?? '')}`, inert(String(searchParams))),
    )
  })
  origin = served.origin
  return {
    origin,
    settings: {
      url: `${origin}/login`,
      issuer: origin,
      jwksUri: `${origin}/jwks.json`,
      afterConsentUrl: `${origin}/after`,
    },
    sign: (consentUrl, parts = {}) => sign({ issuer: origin, privateKey }, consentUrl, parts),
    signInAs: (who) => {
      account = who
    },
    close: served.close,
  }
}
