import { ChevronLeft, ChevronRight } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { hrefWith, type Query } from './href.ts'

type Props = {
  path: string
  /** The filters that hold on every page of the list. */
  query?: Query
  /** The cursor of the first row shown, if there is something before it. */
  before?: string | undefined
  /** The cursor of the last row shown, if there is something after it. */
  after?: string | undefined
  /** What the address calls the cursors, where a page has several lists. */
  names?: { before: string; after: string }
  /** What it moves through, where a page has several lists: for those who don't see it. */
  label?: string
  /** As in “Newer” and “Older”. */
  labels?: { before: string; after: string }
  /** Beside the links, as in “50 of 1,204”. */
  children?: ReactNode
}

const usual = { before: 'Previous', after: 'Next' }
const usualNames = { before: 'before', after: 'after' }

/** Moves through a list by cursors, so that rows which arrive meanwhile shift nothing. */
export function Pagination({
  path,
  query = {},
  before,
  after,
  names = usualNames,
  label = 'Pages of this list',
  labels = usual,
  children,
}: Props) {
  if (!before && !after && !children) return null
  const hrefOf = (cursors: Query) =>
    hrefWith(path, { ...query, [names.before]: undefined, [names.after]: undefined, ...cursors })
  return (
    <nav aria-label={label} className="mt-4 flex items-center justify-between gap-3">
      <p className="text-faint text-sm">{children}</p>
      <div className="flex gap-2">
        {before ? (
          <Button size="small" asChild>
            <Link rel="prev" href={hrefOf({ [names.before]: before })}>
              <ChevronLeft aria-hidden /> {labels.before}
            </Link>
          </Button>
        ) : null}
        {after ? (
          <Button size="small" asChild>
            <Link rel="next" href={hrefOf({ [names.after]: after })}>
              {labels.after} <ChevronRight aria-hidden />
            </Link>
          </Button>
        ) : null}
      </div>
    </nav>
  )
}
