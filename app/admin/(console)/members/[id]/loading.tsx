import { LoadingRows } from '#components/ui/skeleton.tsx'

export default function Loading() {
  return <LoadingRows rows={8} />
}
