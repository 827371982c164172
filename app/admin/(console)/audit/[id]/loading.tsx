import { LoadingRows, Skeleton } from '#components/ui/skeleton.tsx'

export default function Loading() {
  return (
    <>
      <Skeleton className="mb-6 h-8 w-48" />
      <LoadingRows rows={6} />
    </>
  )
}
