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
        'w-fit min-w-0 max-w-[92%] rounded-card border border-line px-4 py-3 sm:max-w-[80%]',
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

type EntryProps<Kind> = { entry: Extract<TranscriptEntry, { kind: Kind }>; brand: string | undefined }

/** Permission was missing: what the User was asked for. */
function StepUpEntry({ entry, brand }: EntryProps<'step-up'>) {
  const { id, at, missingScopes, receipt } = entry
  return (
    <li
      id={`step-up-${id}`}
      className="mx-auto max-w-2xl rounded-card border border-line border-dashed px-4 py-3"
    >
      <div className="flex flex-wrap items-center gap-2">
        <Badge state="warning">{detail.stepUp}</Badge>
        <Time className="text-faint text-xs" at={at.toISOString()} />
      </div>
      {missingScopes ? (
        <p className="mt-1 text-sm">
          {detail.stepUpScopes}{' '}
          {missingScopes.map((scope) => (
            <code key={scope} className="mr-2 break-all">
              {makeVisible(scope)}
            </code>
          ))}
          <span className="block text-faint">{detail.stepUpWhy}</span>
        </p>
      ) : (
        <p className="mt-1 text-sm">{detail.stepUpUnknown}</p>
      )}
      {receipt ? (
        <Done receipt={receipt} brand={brand} />
      ) : (
        <p className="mt-2 text-faint text-xs">{detail.noToken}</p>
      )}
    </li>
  )
}

function TurnEntry({ entry, brand }: EntryProps<'turn'>) {
  const { text, reply, receivedAt, receipt, unsigned, running, failure } = entry
  const why = failure && detail.failures[failure]
  return (
    <li id={`message-${entry.id}`} className="space-y-2">
      <Said by={detail.user}>
        <MessageText text={text} />
      </Said>
      <p className="text-faint text-xs">
        <Time at={receivedAt.toISOString()} />
      </p>
      {reply ? (
        <>
          <Said by={detail.agent} end>
            <MessageText text={reply.text} />
            {receipt ? <Done receipt={receipt} brand={brand} /> : null}
          </Said>
          <p className="text-right text-faint text-xs">
            <Time at={reply.at.toISOString()} />, {detail.took(reply.milliseconds)}
          </p>
          {unsigned ? <p className="text-right text-danger text-sm">{detail.unsigned}</p> : null}
          {why ? <p className="text-right text-danger text-sm">{detail.behind(why)}</p> : null}
        </>
      ) : (
        <p className={cn('text-right text-sm', running ? 'text-accent' : 'text-danger')}>
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
      {entries.map((entry) =>
        entry.kind === 'turn' ? (
          <TurnEntry key={`turn ${entry.id}`} entry={entry} brand={brand} />
        ) : (
          <StepUpEntry key={`step-up ${entry.id}`} entry={entry} brand={brand} />
        ),
      )}
    </ol>
  )
}
