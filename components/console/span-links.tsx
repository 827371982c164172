import Link from 'next/link'
import { Button } from '#components/ui/button.tsx'
import { hrefWith, type Query } from '#components/ui/href.ts'

type Props = {
  path: string
  /** What else the address says. */
  query: Query
  span: string
  /** Each span's name, by what the address calls it. */
  labels: Readonly<Record<string, string>>
}

/** How far a page looks back: links to the same page with another `span`. */
export function SpanLinks({ path, query, span, labels }: Props) {
  return Object.entries(labels).map(([key, label]) => (
    <Button key={key} size="small" variant={key === span ? 'primary' : 'secondary'} asChild>
      <Link href={hrefWith(path, { ...query, span: key })} aria-current={key === span ? 'true' : undefined}>
        {label}
      </Link>
    </Button>
  ))
}
