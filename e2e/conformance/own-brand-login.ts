import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { type HtmlForm, readForms } from '#examples/personal-agent/html-forms.ts'

// The program for BRAND_LOGIN with the demo Brand: signs in without a password, and decides on the consent page.

const taskSchema = z.object({
  verification_uri_complete: z.url(),
  decision: z.enum(['approve', 'deny']),
  scopes: z.array(z.string()),
  user: z.enum(['first', 'second']),
})

type Task = z.infer<typeof taskSchema>

const accounts = { first: 'jane-4471', second: 'tom-1180' }

type Page = { url: string; html: string }

async function open(url: string, init: RequestInit = {}): Promise<Page> {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(15_000) })
  const html = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status} at ${url}: ${html.slice(0, 1_000)}`)
  return { url: answer.url, html }
}

function findForm(page: Page, wanted: (form: HtmlForm) => boolean): HtmlForm | undefined {
  return readForms(page.html, page.url).find((form) => form.method === 'post' && wanted(form))
}

function requireForm(page: Page, what: string, wanted: (form: HtmlForm) => boolean): HtmlForm {
  const form = findForm(page, wanted)
  if (form) return form
  throw new Error(`no ${what} at ${page.url}: ${page.html.slice(0, 1_000)}`)
}

/** Adds to a form's fields, and posts it. */
function submit(form: HtmlForm, more: [string, string][]): Promise<Page> {
  return open(form.action, { method: 'POST', body: new URLSearchParams([...form.fields, ...more]) })
}

function hasButton(name: string) {
  return ({ buttons }: HtmlForm) => buttons.some((button) => button.name === name)
}

/** Leaves exactly these boxes checked. */
function check({ checkboxes }: HtmlForm, scopes: readonly string[]): [string, string][] {
  return checkboxes
    .filter(({ value }) => scopes.includes(value))
    .map(({ name, value }): [string, string] => [name, value])
}

async function decide({ verification_uri_complete, decision, scopes, user }: Task): Promise<void> {
  const login = await open(verification_uri_complete)
  const chosen = requireForm(login, 'login', hasButton('account'))
  const signedIn = await submit(chosen, [['account', accounts[user]]])
  const returning = requireForm(signedIn, 'assertion', ({ fields }) =>
    fields.some(([name]) => name === 'assertion'),
  )
  const consent = await submit(returning, [])
  const form = findForm(consent, hasButton('decision'))
  // Consent may be skipped (§5.3): then there is nothing to decide.
  if (!form) {
    if (new URL(consent.url).searchParams.get('status') === 'approved') return
    throw new Error(`no consent at ${consent.url}: ${consent.html.slice(0, 1_000)}`)
  }
  const answer = decision === 'approve' ? check(form, scopes) : []
  await submit(form, [...answer, ['decision', decision === 'approve' ? 'allow' : 'deny']])
}

await decide(taskSchema.parse(JSON.parse(await text(process.stdin))))
