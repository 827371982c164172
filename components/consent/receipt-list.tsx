import type { GrantReceipts } from '#lib/delegation/grant-receipts.ts'
import { Time } from './time.tsx'

type Props = { receipts: GrantReceipts; mostCounted: number }

/** The latest of what was done under a grant, folded. */
export function ReceiptList({ receipts: { count, latest }, mostCounted }: Props) {
  if (count === 0) return <p className="detail">Nothing has been done with it.</p>
  const counted =
    count >= mostCounted ? `${mostCounted} or more replies` : count === 1 ? '1 reply' : `${count} replies`
  return (
    <details>
      <summary>Used for {counted}</summary>
      <ol className="receipts">
        {latest.map(({ id, issuedAt, tools, scopesUsed }) => (
          <li key={id}>
            <Time at={issuedAt} />: {tools.length > 0 ? tools.join(', ') : 'looked at nothing'}
            {scopesUsed.length > 0 ? ` (${scopesUsed.join(', ')})` : ''}
          </li>
        ))}
      </ol>
    </details>
  )
}
