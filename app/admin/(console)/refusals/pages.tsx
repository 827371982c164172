import type { ComponentProps } from 'react'
import { Pagination } from '#components/ui/pagination.tsx'
import type { RefusalQuery } from './query.ts'
import { texts } from './texts.ts'

type Props = Pick<ComponentProps<typeof Pagination>, 'before' | 'after' | 'names' | 'label'> & {
  query: RefusalQuery
}

/** Moves through one of the page's lists; the other stays where it is. */
export function Pages(props: Props) {
  return (
    <div className="px-5 pb-4 empty:hidden">
      <Pagination path="/admin/refusals" labels={texts.pages} {...props} />
    </div>
  )
}
