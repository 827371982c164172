import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '#lib/platform/database.ts'
import {
  addConsoleUser,
  emailOf,
  inspectState,
  PASSWORD,
  signInByForm,
  startTestConsole,
  type TestConsole,
} from './harness/console.ts'
import { startMailHost, type TestMailHost } from './harness/mail-host.ts'
import { startOidcProvider, type TestOidcProvider } from './harness/oidc-provider.ts'
import { BRAND_ID } from './harness/provision.ts'

let oidc: TestOidcProvider
let mail: TestMailHost
let on: TestConsole

beforeAll(async () => {
  ;[oidc, mail] = await Promise.all([startOidcProvider(), startMailHost()])
  on = await startTestConsole({
    env: {
      AUTH_OIDC_ISSUER: oidc.issuer,
      AUTH_OIDC_CLIENT_ID: oidc.clientId,
      AUTH_OIDC_CLIENT_SECRET: oidc.clientSecret,
      AUTH_OIDC_ROLES: `groups:auditors=auditor; groups:loom=manager@${BRAND_ID}`,
      SMTP_URL: mail.url,
    },
  })
})
afterAll(() => Promise.all([on?.close(), oidc?.close(), mail?.close()]))

const headingOf = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()
const secretOf = async (page: Page) =>
  ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '')

/** A code of a step that was not used: of the next half minute, which is accepted too. */
function codeOf(secret: string, stepsAhead = 0): string {
  const timestamp = Date.now() + stepsAhead * 30_000
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp })
}

async function codesShown(page: Page): Promise<string[]> {
  const text = await page.getByRole('region', { name: 'Recovery codes' }).textContent()
  return text?.trim().split('\n') ?? []
}

describe('with e-mail address and password', () => {
  it('a wrong password and an unknown account are answered alike', async () => {
    const page = await on.open()
    const texts: (string | null)[] = []
    for (const email of [emailOf('viewer'), 'nobody@provider.example']) {
      await page.goto(`${on.url}/admin/sign-in`)
      await page.getByLabel('E-mail address').fill(email)
      await page.getByLabel('Password').fill('not the password')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      texts.push(await page.locator('form').getByRole('alert').textContent())
      expect(await page.getByLabel('E-mail address').inputValue()).toBe(email)
    }
    expect(texts[0]).toBe('The e-mail address or the password is not right.')
    expect(texts[1]).toBe(texts[0])
  })

  it('too many attempts from elsewhere do not lock the owner’s browser out', async () => {
    const email = 'besieged@provider.example'
    await addConsoleUser(email, { brands: { [BRAND_ID]: 'viewer' } })
    const owner = await on.open()
    await signInByForm(owner, on.url, email)
    const attacker = await on.open()
    await attacker.goto(`${on.url}/admin/sign-in`)
    const alert = attacker.locator('form').getByRole('alert')
    for (let attempt = 0; attempt < 21; attempt++) {
      await attacker.getByLabel('E-mail address').fill(email)
      await attacker.getByLabel('Password').fill(`guess ${attempt}`)
      const answer = attacker.waitForResponse((response) => response.request().method() === 'POST')
      await attacker.getByRole('button', { name: 'Sign in', exact: true }).click()
      await answer
    }
    await expect.poll(() => alert.textContent()).toMatch(/too many attempts/)
    // The right password does not help there; in the owner's browser it does.
    await attacker.getByLabel('Password').fill(PASSWORD)
    await attacker.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect.poll(() => alert.textContent()).toMatch(/too many attempts/)
    const cookies = await owner.context().cookies()
    await owner.context().clearCookies({ name: 'next-auth.session-token' })
    expect(cookies.some(({ name }) => name.startsWith('pact-known-'))).toBe(true)
    await signInByForm(owner, on.url, email)
    expect(new URL(owner.url()).pathname).toBe('/admin')
  })
})

describe('a second factor', () => {
  it('authenticator app: set up where admins must have one, asked for at sign-in, recovery codes', async () => {
    const email = 'second@provider.example'
    await addConsoleUser(email, { provider: 'admin' })
    await prisma().provider.update({ where: { id: 1 }, data: { adminsNeedSecondFactor: true } })
    const page = await on.open()
    try {
      await signInByForm(page, on.url, email)
      await page.goto(`${on.url}/admin/members`)
      expect(await headingOf(page)).toBe('Set up a second factor')
      await inspectState(page, 'second-factor-set-up')
      const secret = await secretOf(page)
      await page.getByLabel('Code from the app').fill('000000')
      await page.getByRole('button', { name: 'Turn on' }).click()
      await page.getByText('is not the code that the app shows now').waitFor()
      expect(await secretOf(page)).toBe(secret)
      await page.getByLabel('Code from the app').fill(codeOf(secret))
      await page.getByRole('button', { name: 'Turn on' }).click()
      const codes = await codesShown(page)
      expect(codes).toHaveLength(10)
      await page.getByRole('button', { name: 'I have kept them' }).click()
      await page.waitForURL(`${on.url}/admin`)

      const again = await on.open()
      await signInByForm(again, on.url, email)
      await again.goto(`${on.url}/admin/members`)
      expect(await headingOf(again)).toBe('One more step')
      await inspectState(again, 'second-factor')
      await again.getByLabel('Code').fill(codeOf(secret, 1))
      await again.getByRole('button', { name: 'Continue' }).click()
      await again.waitForURL(`${on.url}/admin`)

      const third = await on.open()
      await signInByForm(third, on.url, email)
      await third.getByLabel('Code').fill(codes[0] ?? '')
      await third.getByRole('button', { name: 'Continue' }).click()
      await third.waitForURL(`${on.url}/admin`)
    } finally {
      await prisma().provider.update({ where: { id: 1 }, data: { adminsNeedSecondFactor: false } })
    }
  })

  it('passkey: added on the account page, used at sign-in, removed with the password', async () => {
    const email = 'key@provider.example'
    await addConsoleUser(email, { provider: 'admin' })
    const page = await on.open()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await signInByForm(page, on.url, email)
    await page.goto(`${on.url}/admin/account`)
    await page.getByText('Your account has no second factor.').waitFor()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    expect(await codesShown(page)).toHaveLength(10)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByText('Laptop').waitFor()

    await page.context().clearCookies({ name: 'next-auth.session-token' })
    await signInByForm(page, on.url, email)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(`${on.url}/admin`)

    await page.goto(`${on.url}/admin/account`)
    await page.getByRole('button', { name: 'Remove the passkey Laptop' }).click()
    await page.getByRole('dialog').getByLabel('Your password').fill('not the password')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('is not your password').waitFor()
    await page.getByRole('dialog').getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('You have no passkey yet.').waitFor()
  })
})

describe('single sign-on', () => {
  async function signIn(claims: Record<string, unknown>): Promise<Page> {
    oidc.claims = { sub: 'subject', email_verified: true, ...claims }
    const page = await on.open()
    await page.goto(`${on.url}/admin/sign-in`)
    await page.getByRole('button', { name: 'Sign in with single sign-on' }).click()
    await page.waitForURL(/\/admin(\/sign-in\?error=[a-z-]+)?$/)
    await page.waitForLoadState()
    return page
  }

  it('lets in whom a rule gives a role, takes it again, and nobody else', async () => {
    const email = 'sso@elsewhere.example'
    const page = await signIn({ email, groups: ['auditors', 'others'] })
    expect(new URL(page.url()).pathname).toBe('/admin')
    await page.goto(`${on.url}/admin/members`)
    expect(await headingOf(page)).toBe('Members')
    const user = () => prisma().consoleUser.findUnique({ where: { email }, include: { memberships: true } })
    expect(await user()).toMatchObject({ providerRole: 'auditor', memberships: [], passwordHash: null })

    await signIn({ email, groups: ['loom'] })
    expect(await user()).toMatchObject({
      providerRole: null,
      memberships: [{ brandId: BRAND_ID, role: 'manager' }],
    })
    const refused = await signIn({ email: 'stranger@elsewhere.example', groups: ['others'] })
    await refused.getByText('You may not use this console.').waitFor()
    const unverified = await signIn({ email, email_verified: false, groups: ['auditors'] })
    await unverified.getByText('has not verified your e-mail address').waitFor()
    const actions = await prisma().auditEvent.findMany({ where: { subject: email }, orderBy: { id: 'asc' } })
    expect(actions.map(({ action }) => action)).toEqual([
      'console-user.create',
      'session.start',
      'console-user.update',
      'session.start',
      'session.refuse',
    ])
  })
})
