import { PageHeader } from '#components/ui/page-header.tsx'
import { LoadingRows } from '#components/ui/skeleton.tsx'
import { texts } from '../texts.ts'

export default function Loading() {
  return (
    <>
      <PageHeader title={texts.detail.title} />
      <LoadingRows rows={8} />
    </>
  )
}
