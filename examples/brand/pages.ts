import { html, raw } from 'hono/html'
import type { Account } from './accounts.ts'
import { type ReturnTo, writeReturnTo } from './return-to.ts'

type Html = ReturnType<typeof html>

/** Submits the form without a click. Where scripts do not run, the button does it. */
export const SUBMIT_SCRIPT = 'document.forms[0].submit()'

const BRAND = 'Loom & Thread'

function page(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · ${BRAND}</title>
    <link rel="stylesheet" href="/style.css" />
  </head>
  <body>
    <header><a href="/">${BRAND}</a></header>
    <main>
      <h1>${title}</h1>
      ${content}
    </main>
    <footer>A shop that does not exist: the demo of a Brand.</footer>
  </body>
</html>`
}

/** What the shop is. */
export function homePage(): Html {
  return page(
    'Clothes made to last',
    html`<p>
        Ask your assistant about an order here. When it needs your account, it shows you a link to our login; you never tell
        your assistant a password.
      </p>
      <p>Try it in a terminal: <code>npm run demo</code></p>`,
  )
}

/** The login: the Brand's own, whatever it is. Here one chooses an account. */
export function loginPage(returnTo: ReturnTo, accounts: readonly Account[], fault?: string): Html {
  const { userCode, view } = returnTo
  const codeField = html`<label for="user_code">The code that your assistant shows</label>
    <input id="user_code" name="user_code" required autocomplete="off" spellcheck="false" pattern="[A-Za-z]{4}-?[A-Za-z]{4}"
      aria-describedby="code_form" />
    <p id="code_form" class="note">Eight letters, such as WDJB-MJHT.</p>`
  return page(
    'Sign in',
    html`${fault === undefined ? '' : html`<p role="alert" class="fault">${fault}</p>`}
      <p>
        ${
          view === undefined
            ? 'You came here from a link that an assistant showed you. Sign in, and you will be asked on the next page what it may do.'
            : 'Sign in to see what you have allowed assistants, and to withdraw it.'
        }
      </p>
      <form method="post" action="/login">
        <input type="hidden" name="return_to" value="${writeReturnTo(returnTo)}" />
        ${view !== undefined ? '' : userCode === undefined ? codeField : html`<p>Code: <strong class="code">${userCode}</strong></p>`}
        <fieldset>
          <legend>Which account?</legend>
          ${accounts.map(
            ({ id, name, about }) => html`<button name="account" value="${id}">
              <strong>${name}</strong> <span>${about}</span>
            </button>`,
          )}
        </fieldset>
      </form>
      <p class="note">This is a demo: there are no passwords. A real shop asks for one here, or for a passkey.</p>`,
  )
}

/** Posts the assertion to the consent page: by itself, or with the button. */
export function returnPage(consentUrl: string, assertion: string, account: Account): Html {
  return page(
    `Signed in as ${account.name}`,
    html`<form method="post" action="${consentUrl}">
        <input type="hidden" name="assertion" value="${assertion}" />
        <p>The next page is about what assistants may do in your account.</p>
        <button>Continue</button>
      </form>
      <script>${raw(SUBMIT_SCRIPT)}</script>`,
  )
}

/**
 * What came of it, as the Provider's consent page told it. Anybody can write such an address: it is shown for information,
 * and nothing follows from it.
 *
 * @param grantsUrl where a User sees at the Provider what they have allowed
 */
export function connectedPage(
  outcome: { status: string; client: string; scopes: readonly string[] },
  grantsUrl: string,
): Html {
  const { status, client, scopes } = outcome
  const who = URL.canParse(client) ? new URL(client).origin : 'your assistant'
  const grantsLink = html`<a href="${grantsUrl}">What I have allowed</a>`
  if (status !== 'approved')
    return page(
      'Nothing new was allowed',
      html`<p>You have not allowed <strong>${who}</strong> what it asked for. What you allowed it before, if anything, is as you
          left it: see or withdraw it under ${grantsLink}.</p>
        <p>You can close this page.</p>`,
    )
  const known = scopes.flatMap((scope) => scopeTexts.get(scope) ?? [])
  return page(
    'Connected',
    html`<p>You have allowed <strong>${who}</strong> to use your account${known.length > 0 ? ':' : '.'}</p>
      ${known.length > 0 ? html`<ul>${known.map((text) => html`<li>${text}</li>`)}</ul>` : ''}
      <p>Go back to your assistant to go on. You can close this page.</p>
      <p>You can see and withdraw it at any time under ${grantsLink}.</p>`,
  )
}

/** Why nothing can be done with this link. */
export function refusedPage(): Html {
  return page(
    'This link does not work',
    html`<p>
        It leads to a place that is not ours, or it is not whole. Nothing has happened. Ask your assistant for a new link, and
        open that one.
      </p>`,
  )
}

export function notFoundPage(): Html {
  return page('Page not found', html`<p><a href="/">To the start</a></p>`)
}

const scopeTexts = new Map([
  ['orders:read', 'look up your orders and their status'],
  ['orders:cancel', 'cancel an order that has not shipped'],
])
