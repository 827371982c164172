import { cn } from './class-names.ts'

/** The place of something that is on its way. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn('h-4 animate-pulse rounded-control bg-muted', className)} />
}

/** A page's worth of them, announced once. */
export function LoadingRows({ rows = 5 }: { rows?: number }) {
  return (
    <div role="status" className="space-y-3 py-2">
      <span className="sr-only">Loading…</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike
        <Skeleton key={row} className="h-8" />
      ))}
    </div>
  )
}
