import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '#lib/platform/database.ts'
import {
  addConsoleUser,
  emailOf,
  inspectState,
  PASSWORD,
  type Role,
  roles,
  startTestConsole,
  type TestConsole,
} from './harness/console.ts'
import { startMailHost, type TestMailHost } from './harness/mail-host.ts'

let mail: TestMailHost
let on: TestConsole

beforeAll(async () => {
  mail = await startMailHost()
  on = await startTestConsole({ env: { SMTP_URL: mail.url } })
})
afterAll(() => Promise.all([on?.close(), mail?.close()]))

const idOf = async (email: string) => (await prisma().consoleUser.findUniqueOrThrow({ where: { email } })).id

/** Who sees the list, and who is offered the form that invites. */
const table: Record<Role, { status: number; invites: boolean; sees: Role[] }> = {
  admin: { status: 200, invites: true, sees: [...roles] },
  auditor: { status: 200, invites: false, sees: [...roles] },
  manager: { status: 200, invites: true, sees: ['manager', 'viewer'] },
  viewer: { status: 404, invites: false, sees: [] },
  otherManager: { status: 200, invites: true, sees: ['otherManager'] },
}

describe('members', () => {
  it.each(roles)('as %s: what is theirs, and nothing else', async (role) => {
    const page = await on.openAs(role)
    const expected = table[role]
    const answer = await page.goto(`${on.url}/admin/members`)
    expect(answer?.status()).toBe(expected.status)
    // This part of the page comes after its status.
    const invite = page.getByRole('button', { name: 'Make the invitation' })
    await expect.poll(() => invite.count()).toBe(expected.invites ? 1 : 0)
    for (const other of roles) {
      const row = page.getByRole('link', { name: emailOf(other), exact: true })
      expect(await row.count(), `${role} sees ${other}`).toBe(expected.sees.includes(other) ? 1 : 0)
      const one = await page.request.get(`${on.url}/admin/members/${await idOf(emailOf(other))}`)
      expect(one.status(), `${role} opens ${other}`).toBe(expected.sees.includes(other) ? 200 : 404)
    }
  })

  it('an invitation: a manager’s link is mailed alone, name and password chosen, signed in', async () => {
    const email = 'newcomer@elsewhere.example'
    const page = await on.openAs('manager')
    await page.goto(`${on.url}/admin/members`)
    await page.getByLabel('E-mail address').fill('no address')
    await page.getByRole('button', { name: 'Make the invitation' }).click()
    await page.getByText('must be an e-mail address').waitFor()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Make the invitation' }).click()
    await page.getByText('It was mailed.').waitFor()
    await page.getByRole('heading', { name: 'Open invitations' }).waitFor()
    await page.getByRole('button', { name: 'Brand: Loom & Thread' }).first().waitFor()
    expect(await page.getByRole('region', { name: 'The link for' }).count()).toBe(0)
    const text =
      mail.mails
        .at(-1)
        ?.replace(/=\r?\n/g, '')
        .replace(/=3D/g, '=') ?? ''
    const link = /https?:\S+\/invitation\?token=\S+/.exec(text)?.[0] ?? ''

    const guest = await on.open()
    await guest.goto(link)
    await guest.getByText('as Viewer of Loom & Thread').waitFor()
    await inspectState(guest, 'invitation')
    await guest.getByLabel('Your name').fill('New Comer')
    await guest.getByLabel('Password').fill('too short')
    await guest.getByRole('button', { name: 'Accept and sign in' }).click()
    await guest.getByText('must have at least 12 characters').waitFor()
    await guest.getByRole('button', { name: /^Show password: / }).click()
    expect(await guest.getByLabel('Password').getAttribute('type')).toBe('text')
    expect(await guest.getByLabel('Password').inputValue()).toBe('too short')
    await guest.getByRole('button', { name: 'Accept and sign in' }).click()
    await expect.poll(() => guest.getByLabel('Password').getAttribute('type')).toBe('password')
    expect(await guest.getByLabel('Your name').inputValue()).toBe('New Comer')
    await guest.getByLabel('Password').fill(PASSWORD)
    await guest.getByRole('button', { name: 'Accept and sign in' }).click()
    await guest.waitForURL(`${on.url}/admin`)
    await guest.goto(link)
    expect(await guest.getByRole('heading').textContent()).toBe('This link does not work any more')
  })

  it('an admin’s invitation is made as the form stands', async () => {
    const page = await on.openAs('admin')
    await page.goto(`${on.url}/admin/members`)
    await page.getByLabel('E-mail address').fill('somebody@elsewhere.example')
    await page.getByRole('button', { name: 'Make the invitation' }).click()
    await page.getByText('It was mailed as well.').waitFor()
  })

  it('an admin changes a role, disables an account, and its session ends at once', async () => {
    const page = await on.openAs('admin')
    const viewer = await on.openAs('otherManager')
    await page.goto(`${on.url}/admin/members/${await idOf(emailOf('otherManager'))}`)
    await page.getByRole('combobox', { name: 'Northlight Energy' }).selectOption('viewer')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByText('Saved.').first().waitFor()
    expect((await viewer.goto(`${on.url}/admin/members`))?.status()).toBe(404)
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('alertdialog').getByText('One session ends.').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    await viewer.goto(`${on.url}/admin`)
    expect(new URL(viewer.url()).pathname).toBe('/admin/sign-in')
  })

  it('the last admin stays, also when two processes demote the last two at once', async () => {
    const page = await on.openAs('admin')
    await page.goto(`${on.url}/admin/members/${await idOf(emailOf('admin'))}`)
    await page.getByRole('combobox', { name: 'Role' }).first().selectOption('')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('This is the last Provider admin who can sign in.').waitFor()

    const other = await addConsoleUser('other-admin@provider.example', { provider: 'admin' })
    const one = await idOf(emailOf('admin'))
    const codes = await Promise.all([demote(one, other), demote(other, one)])
    expect(codes.sort()).toEqual([0, 3])
    expect(await prisma().consoleUser.count({ where: { providerRole: 'admin' } })).toBe(1)
  })
})

/** A process of its own: `by` takes the Provider role from `whom`. @returns 0 when done, 3 when it was the last admin */
async function demote(by: string, whom: string): Promise<number> {
  const script = `
    const { setDatabaseUrl } = await import('#lib/platform/config.ts')
    const { closeDatabase } = await import('#lib/platform/database.ts')
    const { changeProviderRole } = await import('#lib/access/member-edits.ts')
    setDatabaseUrl(process.env.DATABASE_URL)
    const viewer = { userId: '${by}', email: 'a', name: null, providerRole: 'admin', brandRoles: new Map() }
    const change = { userId: '${whom}', from: 'admin', to: null }
    try {
      await changeProviderRole(viewer, { kind: 'user', name: 'a' }, change)
    } catch (error) {
      process.exitCode = error.name === 'LastAdminError' ? 3 : 1
    }
    await closeDatabase()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, DATABASE_URL: on.provider.databaseUrl },
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  return Number(code)
}
