'use client'

import { CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Alert } from '#components/ui/alert.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { texts } from '../texts.ts'
import { VerifyLink } from '../verify-link.tsx'
import { type Check, checks, type Verification, verifyInBrowser } from './verify-in-browser.ts'

type Props = {
  jws: string
  /** The claims on this page, as JSON. */
  claims: string
  /** As the Brand's metadata has it. */
  jwksUri: string
}

const { verification: words } = texts
const results = {
  pass: { icon: CircleCheck, look: 'text-success', text: words.pass },
  fail: { icon: CircleX, look: 'text-danger', text: words.fail },
  notReached: { icon: CircleDashed, look: 'text-faint', text: words.notReached },
}

function resultOf(check: Check, verification: Verification): keyof typeof results {
  if (verification.state !== 'invalid') return 'pass'
  const [at, failed] = [checks.indexOf(check), checks.indexOf(verification.failed)]
  if (at === failed) return 'fail'
  return at < failed ? 'pass' : 'notReached'
}

function Steps({ verification }: { verification: Verification }) {
  return (
    <ol className="space-y-1.5 text-sm">
      {checks.map((check) => {
        const { icon: Icon, look, text } = results[resultOf(check, verification)]
        return (
          <li key={check} className="flex gap-2">
            <Icon role="img" aria-label={text} className={`mt-0.5 size-4 shrink-0 ${look}`} />
            {words.steps[check]}
          </li>
        )
      })}
    </ol>
  )
}

/** Verifies the receipt in the viewer's browser, as soon as the page is there. */
export function BrowserVerification({ jws, claims, jwksUri }: Props) {
  const [verification, setVerification] = useState<Verification>()
  useEffect(() => {
    let shown = true
    // The path alone: a console behind another name still asks its own server.
    const own = new URL(new URL(jwksUri).pathname, window.location.href).href
    verifyInBrowser(jws, claims, own)
      .catch((): Verification => ({ state: 'no-keys' }))
      .then((result) => shown && setVerification(result))
    return () => {
      shown = false
    }
  }, [jws, claims, jwksUri])

  return (
    <div aria-live="polite" className="space-y-3">
      {verification === undefined ? (
        <>
          <p className="text-faint text-sm">{words.running}</p>
          <Skeleton />
          <noscript>
            {words.noScript} <VerifyLink />
          </noscript>
        </>
      ) : verification.state === 'no-keys' ? (
        <Alert kind="warning" title={words.failed}>
          {words.failedWhy} <VerifyLink />
        </Alert>
      ) : (
        <>
          <Alert
            kind={verification.state === 'valid' ? 'success' : 'danger'}
            title={verification.state === 'valid' ? words.valid : words.invalid}
          />
          <Steps verification={verification} />
        </>
      )}
      <p className="text-faint text-xs">
        {words.byBrowser} <code className="break-all">{jwksUri}</code>
      </p>
    </div>
  )
}
