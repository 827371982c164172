import { type AccountFacts, YourAccount } from './account-name.tsx'
import { type BannerFacts, BrandBanner } from './brand-banner.tsx'

type Props = {
  brand: BannerFacts
  account: AccountFacts
  consentUrl: string
  /** Where another account can log in. */
  loginUrl: string
  /** Of a page that knows its User without a cookie: it posts its form. */
  pageToken: string | undefined
  /** What was typed is no code. */
  unknown: boolean
}

/** Asks a logged-in User for the code that a personal agent shows (RFC 8628 §3.3). */
export function CodePage({ brand, account, consentUrl, loginUrl, pageToken, unknown }: Props) {
  return (
    <>
      <BrandBanner {...brand} />
      <h1>Which code does your assistant show?</h1>
      {unknown ? (
        <p className="warning" role="alert" id="fault">
          There is no request with this code. Compare it with the one that your assistant shows, or ask it for
          a new one.
        </p>
      ) : null}
      <dl>
        <YourAccount account={account} loginUrl={loginUrl} />
      </dl>
      <form method={pageToken === undefined ? 'get' : 'post'} action={consentUrl} autoComplete="off">
        {pageToken === undefined ? null : (
          <>
            <input type="hidden" name="session" value={pageToken} />
            <input type="hidden" name="action" value="enter-code" />
          </>
        )}
        <label htmlFor="user_code">Eight letters, such as WDJB-MJHT</label>
        <input
          id="user_code"
          name="user_code"
          className="code"
          required
          maxLength={20}
          spellCheck={false}
          autoCapitalize="characters"
          {...(unknown ? { 'aria-invalid': true, 'aria-describedby': 'fault' } : {})}
        />
        <div className="buttons">
          <button type="submit" className="primary">
            Continue
          </button>
        </div>
      </form>
    </>
  )
}
