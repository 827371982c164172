import Link from 'next/link'
import { Card } from '#components/ui/card.tsx'
import { DescriptionList } from '#components/ui/description-list.tsx'
import type { CountedReason } from '#lib/identity/refusal.ts'
import { textOfReason } from '../../refusals/reason-texts.ts'
import { texts } from '../texts.ts'

const { detail: words } = texts

type Props = { refusals: readonly { reason: CountedReason; count: number }[]; agentId: string }

/** Why requests of a personal agent were refused lately. */
export function AgentRefusals({ refusals, agentId }: Props) {
  const all = (
    <Link
      className="text-accent text-sm underline underline-offset-4"
      href={`/admin/refusals?agent=${agentId}`}
    >
      {words.allRefusals}
    </Link>
  )
  return (
    <Card title={words.refusals} actions={all}>
      {refusals.length === 0 ? (
        <p className="text-faint text-sm">{words.noRefusals}</p>
      ) : (
        <DescriptionList
          items={refusals.map(({ reason, count }) => ({
            term: `${textOfReason(reason).title}: ${words.amount(count)}`,
            value: textOfReason(reason).advice,
          }))}
        />
      )}
    </Card>
  )
}
