import { cn } from './class-names.ts'

/** A line between parts that belong to different things. */
export function Separator({ className }: { className?: string }) {
  return <hr className={cn('border-line border-t', className)} />
}
