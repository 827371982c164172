import { texts } from './texts.ts'

/** Leads to the public page where anyone checks a receipt. */
export function VerifyLink() {
  return (
    <a href="/verify" target="_blank" rel="noreferrer" className="text-accent underline underline-offset-4">
      {texts.verifyLink} <span className="sr-only">{texts.newTab}</span>
    </a>
  )
}
