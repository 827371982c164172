import Link from 'next/link'
import type { ReactNode } from 'react'
import { brandHref } from '#components/console/brand-href.ts'
import { Badge } from '#components/ui/badge.tsx'
import { cn } from '#components/ui/class-names.ts'
import { Time } from '#components/ui/time.tsx'
import type { TranscriptEntry, TurnReceipt } from '#lib/conversations/transcript.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { texts } from '../texts.ts'
import { MessageText } from './text.tsx'

type Props = { entries: readonly TranscriptEntry[]; brand: string | undefined }

const { detail } = texts

function Said({ by, end, children }: { by: string; end?: boolean; children: ReactNode }) {
  return (
    <div
      className={cn(
        'max-w-2xl rounded-card border border-line px-4 py-3',
        end ? 'ml-auto bg-accent-soft' : 'bg-panel shadow-card',
      )}
    >
      <p className="mb-1 font-medium text-faint text-xs">{by}</p>
      {children}
    </div>
  )
}

/** What a receipt says was done. */
function Done({ receipt: { id, claims }, brand }: { receipt: TurnReceipt; brand: string | undefined }) {
  return (
    <div className="mt-3 space-y-1.5 border-line border-t pt-2 text-sm">
      {claims.actions.length > 0 ? (
        <div>
          <p className="text-faint text-xs">{detail.tools}</p>
          <ol className="list-inside list-decimal">
            {claims.actions.map(({ tool, argsHash }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: calls have no other name than their place
              <li key={index} className="break-all">
                <code>{makeVisible(tool)}</code>
                {argsHash ? (
                  <span className="block text-faint text-xs">
                    {detail.argsHash}: <code>{makeVisible(argsHash)}</code>
                  </span>
                ) : null}
              </li>
            ))}
          </ol>
        </div>
      ) : (
        <p className="text-faint text-xs">{detail.noTools}</p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {claims.scopesUsed.length > 0 ? (
          <span>
            <span className="text-faint text-xs">{detail.scopes}: </span>
            {claims.scopesUsed.map(makeVisible).join(', ')}
          </span>
        ) : null}
        <Link className="text-accent underline" href={brandHref(`/admin/receipts/${id}`, brand)}>
          {detail.receipt}
        </Link>
        <Link
          className="text-accent underline"
          href={brandHref(`/admin/grants/${encodeURIComponent(claims.grantId)}`, brand)}
        >
          {detail.grant}
        </Link>
      </div>
    </div>
  )
}

function Entry({ entry, brand }: { entry: TranscriptEntry; brand: string | undefined }) {
  if (entry.kind === 'step-up') {
    return (
      <li
        id={`receipt-${entry.id}`}
        className="mx-auto max-w-2xl rounded-card border border-line border-dashed px-4 py-3"
      >
        <div className="flex flex-wrap items-center gap-2">
          <Badge state="warning">{detail.stepUp}</Badge>
          <Time className="text-faint text-xs" at={entry.at.toISOString()} />
        </div>
        <p className="mt-1 text-sm">{detail.stepUpWhy}</p>
        <Done receipt={entry.receipt} brand={brand} />
      </li>
    )
  }
  const { text, reply, receivedAt, receipt, running, failure } = entry
  const why = failure && detail.failures[failure]
  return (
    <li id={`message-${entry.id}`} className="space-y-2">
      <Said by={detail.user} end>
        <MessageText text={text} />
      </Said>
      <p className="text-right text-faint text-xs">
        <Time at={receivedAt.toISOString()} />
      </p>
      {reply ? (
        <>
          <Said by={detail.agent}>
            <MessageText text={reply.text} />
            {receipt ? <Done receipt={receipt} brand={brand} /> : null}
          </Said>
          <p className="text-faint text-xs">
            <Time at={reply.at.toISOString()} />, {detail.took(reply.milliseconds)}
          </p>
          {why ? <p className="text-danger text-sm">{detail.behind(why)}</p> : null}
        </>
      ) : (
        <p className={cn('text-sm', running ? 'text-accent' : 'text-danger')}>
          {running ? detail.running : detail.unanswered(why ?? detail.unknownFailure)}
        </p>
      )}
    </li>
  )
}

/** What was said and done, in its order. */
export function TranscriptList({ entries, brand }: Props) {
  if (entries.length === 0) return <p className="text-faint">{detail.empty}</p>
  return (
    <ol className="space-y-6">
      {entries.map((entry) => (
        <Entry key={`${entry.kind} ${entry.id}`} entry={entry} brand={brand} />
      ))}
    </ol>
  )
}
