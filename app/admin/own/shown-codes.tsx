'use client'

import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { useForm } from '#components/console/form-context.tsx'
import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { ownTexts } from './texts.ts'

/** Recovery codes, this once. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  return (
    <Alert kind="warning" live title={ownTexts.codes.title}>
      <p className="mb-3">{ownTexts.codes.once}</p>
      <CodeBlock label={ownTexts.codes.title}>{codes.join('\n')}</CodeBlock>
      <Button variant="primary" className="mt-3" onClick={onKept}>
        {ownTexts.codes.kept}
      </Button>
    </Alert>
  )
}

/** The fields of a form until it is done, then the recovery codes that it has made, then the page anew. */
export function FieldsThenCodes({ next, children }: { next?: string; children: ReactNode }) {
  const { state } = useForm()
  const router = useRouter()
  if (state.status !== 'done') return children
  const codes = [state.values.codes ?? []].flat()
  const go = () => (next ? router.push(next) : router.refresh())
  if (codes.length > 0) return <RecoveryCodes codes={codes} onKept={go} />
  return (
    <Button variant="primary" onClick={go}>
      Continue
    </Button>
  )
}
