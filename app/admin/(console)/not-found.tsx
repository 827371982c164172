import Link from 'next/link'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { notFoundTexts as texts } from './texts.ts'

/** Where there is nothing, or nothing for this viewer: the menu stays. */
export default function NotFound() {
  return (
    <>
      <PageHeader title={texts.title} />
      <EmptyState title={texts.why}>
        <Link href="/admin" className="text-accent underline">
          {texts.home}
        </Link>
      </EmptyState>
    </>
  )
}
