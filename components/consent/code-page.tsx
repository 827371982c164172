import { type BannerFacts, BrandBanner } from './brand-banner.tsx'

/** Asks for the code that a personal agent shows (RFC 8628 §3.3). */
export function CodePage({ brand, consentUrl }: { brand: BannerFacts; consentUrl: string }) {
  return (
    <>
      <BrandBanner {...brand} />
      <h1>Which code does your assistant show?</h1>
      <form method="get" action={consentUrl} autoComplete="off">
        <label htmlFor="user_code">Eight letters, such as WDJB-MJHT</label>
        <input
          id="user_code"
          name="user_code"
          className="code"
          required
          maxLength={20}
          spellCheck={false}
          autoCapitalize="characters"
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
