import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Context, Hono } from 'hono'
import { buildAccountApi } from './account-api.ts'
import { findAccount, listAccounts } from './accounts.ts'
import { type Purpose, signAssertion } from './assertion.ts'
import { createTokenVerifier } from './delegation-token.ts'
import { type LoginKey, loadLoginKey } from './login-key.ts'
import { OrderBook } from './orders.ts'
import {
  connectedPage,
  homePage,
  loginPage,
  notFoundPage,
  refusedPage,
  returnPage,
  SUBMIT_SCRIPT,
} from './pages.ts'
import { type ReturnTo, readReturnTo, readUserCode } from './return-to.ts'
import type { Settings } from './settings.ts'

const MAX_FORM_BYTES = 16 * 1024

/** The demo Brand: its login, its account API, and the page after consent. */
export async function buildBrand(settings: Settings): Promise<Hono> {
  const key = await loadLoginKey(join(settings.dataDir, 'demo-brand-login.json'))
  const style = await readFile(join(import.meta.dirname, 'style.css'), 'utf8')
  const app = new Hono()
  app.use(protectPages(settings))
  app.get('/', (context) => context.html(homePage()))
  app.get('/style.css', (context) => context.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8' }))
  app.get('/.well-known/jwks.json', (context) => context.json({ keys: [key.publicJwk] }))
  app.get('/login', (context) => showLogin(context, settings))
  app.post('/login', (context) => login(context, settings, key))
  app.get('/connected', (context) => showOutcome(context, settings))
  app.route('/api', buildAccountApi(new OrderBook(), createTokenVerifier(settings.interfaceUrl)))
  app.notFound((context) => context.html(notFoundPage(), 404))
  return app
}

/** No framing, no scripts but the one that submits, and forms that lead nowhere but here and to the Provider. */
function protectPages({ interfaceUrl }: Settings) {
  const script = createHash('sha256').update(SUBMIT_SCRIPT).digest('base64')
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    `script-src 'sha256-${script}'`,
    `form-action 'self' ${new URL(interfaceUrl).origin}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
  return async (context: Context, next: () => Promise<void>) => {
    await next()
    context.header('Content-Security-Policy', policy)
    context.header('X-Content-Type-Options', 'nosniff')
    context.header('Referrer-Policy', 'no-referrer')
    context.header('Cache-Control', 'no-store')
  }
}

function showLogin(context: Context, { interfaceUrl }: Settings) {
  const returnTo = readReturnTo(context.req.query('return_to') ?? '', interfaceUrl)
  if (!returnTo) return context.html(refusedPage(), 400)
  return context.html(loginPage(returnTo, listAccounts()))
}

function readPurpose({ view, userCode }: ReturnTo, form: URLSearchParams): Purpose | undefined {
  if (view !== undefined) return { view }
  const code = userCode ?? readUserCode(form.get('user_code') ?? '')
  return code === undefined ? undefined : { user_code: code }
}

async function login(context: Context, settings: Settings, key: LoginKey) {
  if (Number(context.req.header('Content-Length') ?? Number.POSITIVE_INFINITY) > MAX_FORM_BYTES)
    return context.html(refusedPage(), 413)
  const form = new URLSearchParams(await context.req.text())
  const returnTo = readReturnTo(form.get('return_to') ?? '', settings.interfaceUrl)
  if (!returnTo) return context.html(refusedPage(), 400)
  const account = findAccount(form.get('account') ?? '')
  if (!account) return context.html(loginPage(returnTo, listAccounts(), 'Choose an account.'), 400)
  const purpose = readPurpose(returnTo, form)
  if (!purpose) {
    const fault = 'The code has eight letters, such as WDJB-MJHT.'
    return context.html(loginPage(returnTo, listAccounts(), fault), 400)
  }
  const { consentUrl } = returnTo
  const assertion = await signAssertion(key, { issuer: settings.brandUrl, consentUrl, account, purpose })
  return context.html(returnPage(consentUrl, assertion, account))
}

function showOutcome(context: Context, { interfaceUrl }: Settings) {
  const { status = '', client = '', scope = '' } = context.req.query()
  const scopes = scope.split(' ').filter((id) => id !== '')
  const grantsUrl = `${interfaceUrl}/oauth/consent?view=grants`
  return context.html(connectedPage({ status, client, scopes }, grantsUrl))
}
