import { type HtmlForm, readForms } from './html-forms.ts'
import { Problem } from './problem.ts'

const TIME_LIMIT = 15_000

/** Login, assertion, consent, and some to spare. */
const MAX_STEPS = 6

type Page = { url: string; html: string }

/**
 * Plays the User on the demo Brand's pages: signs in to an account, allows all that is asked, and returns what came of it.
 *
 * For demonstrations and tests on one machine only. A personal agent must not handle the login (§5.3), and against a login
 * that asks for more than a name this can do nothing.
 *
 * @param link as the device authorization gave it
 * @param account part of an account's name or id
 * @returns one line for the person at the terminal
 * @throws Problem when a page is not what it should be
 */
export async function playUser(link: string, account: string): Promise<string> {
  let page = await open(link)
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const form = readForms(page.html, page.url).find(leadsOn)
    if (!form) return `(--approve) signed in as ${account}; the last page is ${page.url.split('?')[0]}`
    page = await submit(form, account)
  }
  throw stuck(page.url)
}

/** The forms on the way: the account, the assertion, the consent. Any other means something else. */
function leadsOn({ fields, buttons }: HtmlForm): boolean {
  return fields.some(([name]) => name === 'assertion') || buttons.some(isAccount) || buttons.some(isAllow)
}

type Button = HtmlForm['buttons'][number]

function isAccount({ name }: Button): boolean {
  return name === 'account'
}

function isAllow({ name, value }: Button): boolean {
  return name === 'decision' && value === 'allow'
}

function requireLoopback(url: string): void {
  if (['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)) return
  throw new Problem(
    '--approve works for a Brand on this machine only.',
    'Open the link in a browser instead.',
  )
}

/** The button that goes on: the account's, the one that allows, or the only one. */
function chooseButton({ buttons }: HtmlForm, account: string) {
  const wanted = account.toLowerCase()
  const accounts = buttons.filter(isAccount)
  if (accounts.length > 0) {
    const found = accounts.find(({ value, text }) => `${value} ${text}`.toLowerCase().includes(wanted))
    if (found) return found
    throw new Problem(
      `The Brand has no account "${account}".`,
      `It has: ${accounts.map(({ value }) => value).join(', ')}.`,
    )
  }
  return buttons.find(isAllow) ?? buttons[0]
}

async function submit(form: HtmlForm, account: string): Promise<Page> {
  const body = new URLSearchParams(form.fields)
  for (const { name, value } of form.checkboxes) body.append(name, value)
  const button = chooseButton(form, account)
  if (button?.name) body.append(button.name, button.value)
  return open(form.action, { method: 'POST', body })
}

async function open(url: string, init: RequestInit = {}): Promise<Page> {
  requireLoopback(url)
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(TIME_LIMIT) }).catch(
    (cause: unknown) => {
      throw new Problem(
        `Nothing answers at ${new URL(url).origin}.`,
        'Is the demo Brand running? npm start starts it.',
        { cause },
      )
    },
  )
  if (!answer.ok) throw stuck(`${url.split('?')[0]} (status ${answer.status})`)
  return { url: answer.url, html: await answer.text() }
}

function stuck(where: string): Problem {
  return new Problem(`--approve can't go on at ${where}.`, 'Open the link in a browser instead.')
}
