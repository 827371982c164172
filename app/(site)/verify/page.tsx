import type { Metadata } from 'next'
import { VerifyForm } from './form.tsx'
import { texts } from './texts.ts'

export const metadata: Metadata = { title: texts.title }

export default function VerifyPage() {
  return (
    <>
      <h1 className="font-semibold text-2xl tracking-tight">{texts.title}</h1>
      <p className="mt-2 text-faint leading-relaxed">{texts.intro}</p>
      <VerifyForm />
    </>
  )
}
