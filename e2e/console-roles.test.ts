import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { may, mayAnywhere, type Viewer } from '#lib/access/permissions.ts'
import { type Role, roles, startTestConsole, type TestConsole } from './harness/console.ts'
import { type ActionRule, actionRules } from './harness/console-action-rules.ts'
import { callAction, callActionWith, isRefusal, listActions } from './harness/console-actions.ts'
import { addressOf, listPageFiles, type PageRule, pageRules } from './harness/console-pages.ts'
import { type BrandThings, storeThings } from './harness/console-things.ts'

type Visitor = { role: Role | 'nobody'; viewer: Viewer | undefined; cookie: string }

let console: TestConsole
let own: BrandThings
let other: BrandThings
let visitors: Visitor[]

function viewerOf(role: Role): Viewer {
  const { brandId, otherBrandId } = console.provider
  const base = { userId: role, email: role, name: null, providerRole: null, brandRoles: new Map() }
  const viewers: Record<Role, Viewer> = {
    admin: { ...base, providerRole: 'admin' },
    auditor: { ...base, providerRole: 'auditor' },
    manager: { ...base, brandRoles: new Map([[brandId, 'manager']]) },
    viewer: { ...base, brandRoles: new Map([[brandId, 'viewer']]) },
    otherManager: { ...base, brandRoles: new Map([[otherBrandId, 'manager']]) },
  }
  return viewers[role]
}

async function cookieOf(role: Role): Promise<string> {
  const page = await console.openAs(role)
  const cookies = await page.context().cookies()
  await page.context().close()
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
}

beforeAll(async () => {
  console = await startTestConsole()
  own = await storeThings(console.provider.brandId, 'manager')
  other = await storeThings(console.provider.otherBrandId, 'otherManager')
  visitors = [{ role: 'nobody', viewer: undefined, cookie: '' }]
  for (const role of roles) visitors.push({ role, viewer: viewerOf(role), cookie: await cookieOf(role) })
})
afterAll(() => console.close())

/** An address, and whether a viewer may see what is there. */
type Visit = { address: string; allowed(viewer: Viewer): boolean }

function visitsOf(file: string, rule: PageRule): Visit[] {
  if (!('permission' in rule)) {
    return rule.for === 'signed-in' ? [{ address: addressOf(file), allowed: () => true }] : []
  }
  const { permission } = rule
  if (rule.for === 'thing') {
    return [own, other].map((things) => ({
      address: addressOf(file, things[rule.thing]),
      allowed: (viewer) => may(viewer, permission, things.brand),
    }))
  }
  const address = addressOf(file, rule.thing ? own[rule.thing] : '')
  if (rule.for === 'provider') return [{ address, allowed: (viewer) => may(viewer, permission) }]
  const anywhere = { address, allowed: (viewer: Viewer) => mayAnywhere(viewer, permission) }
  if (rule.for === 'anywhere') return [anywhere]
  const chosen = [own, other].map(({ brand }) => ({
    address: `${address}?brand=${brand}`,
    allowed: (viewer: Viewer) => may(viewer, permission, brand),
  }))
  return [anywhere, ...chosen]
}

describe('every page and route of the console', () => {
  it('has an entry in the table of whom it is for', async () => {
    const missing = (await listPageFiles()).filter((file) => !(file in pageRules))
    expect(missing).toEqual([])
  })

  it('opens for the roles that the permissions name, at their own Brand alone', async () => {
    const wrong: string[] = []
    for (const file of await listPageFiles()) {
      const rule = pageRules[file]
      for (const { address, allowed } of rule ? visitsOf(file, rule) : []) {
        for (const { role, viewer, cookie } of visitors) {
          const response = await fetch(console.url + address, { redirect: 'manual', headers: { cookie } })
          await response.arrayBuffer()
          const leads = response.headers.get('location') ?? ''
          const seen = leads.endsWith('/admin/sign-in') ? 'sign-in' : response.status
          const expected = viewer ? (allowed(viewer) ? 200 : 404) : 'sign-in'
          if (seen !== expected) wrong.push(`${role}: ${address} ${seen} instead of ${expected}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })
})

describe('the home page', () => {
  it('leads nobody to what does not exist for them', async () => {
    const wrong: string[] = []
    for (const { role, viewer, cookie } of visitors) {
      if (!viewer) continue
      const get = (address: string) =>
        fetch(new URL(address, console.url), { redirect: 'manual', headers: { cookie } })
      const html = await (await get('/admin')).text()
      const links = new Set(
        [...html.matchAll(/<a\b[^>]*\bhref="(\/admin[^"#]*)"/g)].map(([, href = '']) => href),
      )
      expect(links.size).toBeGreaterThan(5)
      for (const href of links) {
        const { status } = await get(href.replaceAll('&amp;', '&'))
        if (status !== 200) wrong.push(`${role}: ${href} ${status}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

describe('an address that names nothing', () => {
  it.each([
    ['U+0000', '\0'],
    ['a blank', ' '],
    ['the last character of all', '\u{10FFFF}'],
    ['500 letters', 'x'.repeat(500)],
  ])('is not found: %s', async (_, id) => {
    const wrong: string[] = []
    const { cookie = '' } = visitors.find(({ role }) => role === 'admin') ?? {}
    for (const file of (await listPageFiles()).filter((each) => each.includes('['))) {
      const address = addressOf(file, id)
      const { status } = await fetch(console.url + address, { redirect: 'manual', headers: { cookie } })
      if (![400, 404].includes(status)) wrong.push(`${address.slice(0, 100)} ${status}`)
    }
    expect(wrong).toEqual([])
  })

  it('is no filter either, and fails nothing', async () => {
    const wrong: string[] = []
    const { cookie = '' } = visitors.find(({ role }) => role === 'admin') ?? {}
    const names = ['brand', 'q', 'search', 'agent', 'user', 'actor', 'action', 'scope', 'tool', 'grant']
    const query = new URLSearchParams(
      [...names, 'reason', 'after', 'before', 'role'].map((name) => [name, 'a\0b']),
    )
    for (const [file, rule] of Object.entries(pageRules)) {
      if (file.includes('[') || rule.for === 'everyone') continue
      const address = `${addressOf(file)}?${query}`
      const { status } = await fetch(console.url + address, { redirect: 'manual', headers: { cookie } })
      if (status >= 500) wrong.push(`${address} ${status}`)
    }
    expect(wrong).toEqual([])
  })
})

type Call = { fields: Record<string, string>; allowed(viewer: Viewer): boolean }

function callsOf(rule: ActionRule): Call[] {
  if (!('permission' in rule)) return rule.for === 'self' ? [{ fields: {}, allowed: () => true }] : []
  const { permission, fields = {}, id = 'brand' } = rule
  return [own, other].map((things) => {
    const { brand } = things
    const form = { brand, brandId: brand, id: things[id], ...fields }
    return {
      fields: rule.takes === 'value' ? { brand, ...fields } : form,
      allowed: (viewer) =>
        rule.for === 'provider' ? may(viewer, permission) : may(viewer, permission, brand),
    }
  })
}

describe('every server action of the console', () => {
  it('has an entry in the table of whom it is for', async () => {
    const missing = (await listActions()).map(({ name }) => name).filter((name) => !(name in actionRules))
    expect(missing).toEqual([])
  })

  it('works for the roles that the permissions name, at their own Brand alone', async () => {
    const wrong: string[] = []
    for (const { name, id, page } of await listActions()) {
      const rule = actionRules[name]
      const { takes = 'form', quiet = false } = rule && 'permission' in rule ? rule : {}
      for (const { fields, allowed } of rule ? callsOf(rule) : []) {
        for (const { role, viewer, cookie } of visitors) {
          // What somebody does to themselves is for other tests; without a session it must lead to signing in.
          if (rule?.for === 'self' && viewer) continue
          // What it says to those who may ask depends on the Brand.
          if (quiet && viewer && allowed(viewer)) continue
          const address = console.url + addressOf(page, own.brand)
          const answer = await callAction(address, id, cookie, { takes, fields })
          const leadsToSignIn = answer.redirect?.startsWith('/admin/sign-in') ?? false
          const seen = leadsToSignIn ? 'sign-in' : isRefusal(answer.text, quiet) ? 'refused' : 'done'
          const expected = viewer ? (allowed(viewer) ? 'done' : 'refused') : 'sign-in'
          if (seen !== expected || answer.status >= 500) {
            const about = `${answer.status} ${answer.text.slice(0, 200)}`
            wrong.push(`${role}: ${name} ${JSON.stringify(fields)} ${seen} instead of ${expected}: ${about}`)
          }
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('answers text that no database holds at its field', async () => {
    const wrong: string[] = []
    const { cookie = '' } = visitors.find(({ role }) => role === 'admin') ?? {}
    const names = [
      'name',
      'email',
      'password',
      'current',
      'code',
      'token',
      'fallback',
      'version',
      'text',
      'url',
    ]
    for (const { name, id, page } of await listActions()) {
      const rule = actionRules[name]
      const { takes = 'form' } = rule && 'permission' in rule ? rule : {}
      if (takes !== 'form' && takes !== 'data') continue
      const hostile = Object.fromEntries(names.map((each) => [each, 'a\0b']))
      const fields = { id: own.brand, brand: own.brand, brandId: own.brand, ...hostile }
      const answer = await callAction(console.url + addressOf(page, own.brand), id, cookie, { takes, fields })
      const unheard = answer.text.includes('went wrong on our side')
      if (answer.status >= 500 || unheard)
        wrong.push(`${name}: ${answer.status} ${answer.text.slice(0, 200)}`)
    }
    expect(wrong).toEqual([])
  })

  it('answers whatever it is sent in place of a form', async () => {
    const wrong: string[] = []
    const { cookie = '' } = visitors.find(({ role }) => role === 'admin') ?? {}
    for (const { name, id, page } of await listActions()) {
      // It needs no form, and would end what the others need.
      if (name === 'sign-in#signOut') continue
      for (const json of ['[]', '[1,2,3]', '[null,{"id":{"a":1}}]', '["x",["y"]]']) {
        const { status } = await callActionWith(console.url + addressOf(page, own.brand), id, cookie, json)
        if (status >= 500) wrong.push(`${name} ${json}: ${status}`)
      }
    }
    expect(wrong).toEqual([])
  })
})
