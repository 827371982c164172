'use client'

import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { notify } from './notify.ts'

type Props = {
  text: string
  /** What is copied, as in “Copy key”. */
  label?: string
  className?: string
}

/** Copies a text, and says so. */
export function CopyButton({ text, label = 'Copy', className }: Props) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => notify('error', 'Your browser did not allow copying. Select the text and copy it yourself.'),
    )
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label={label}
        title={label}
        {...(className ? { className } : {})}
        onClick={() => void copy()}
      >
        {copied ? <Check aria-hidden className="text-success" /> : <Copy aria-hidden />}
      </Button>
      <span role="status" className="sr-only">
        {copied ? 'Copied.' : ''}
      </span>
    </>
  )
}
