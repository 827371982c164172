import Link from 'next/link'
import { brandHref } from '#components/console/brand-href.ts'
import { Badge } from '#components/ui/badge.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import { type GrantReceipts, MOST_COUNTED } from '#lib/delegation/grant-receipts.ts'
import type { IssuedTokens } from '#lib/delegation/grant-tokens.ts'
import type { ScopeUse } from '#lib/delegation/scope-use.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { texts } from '../texts.ts'

const { detail } = texts

/** What the grant allows, and what of it was never used. */
export function ScopeList({ scopes }: { scopes: readonly ScopeUse[] }) {
  if (scopes.length === 0) return <p className="text-faint">{detail.noScopes}</p>
  return (
    <ul className="divide-y divide-line text-sm">
      {scopes.map(({ id, description, lastUsedAt }) => (
        <li key={id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-2">
          <div className="min-w-0">
            <code className="break-all">{makeVisible(id)}</code>
            <p className="text-faint">{description ? makeVisible(description) : detail.notDefined}</p>
          </div>
          {lastUsedAt ? (
            <span className="text-faint">
              {detail.usedLast} <RelativeTime at={lastUsedAt.toISOString()} />
            </span>
          ) : (
            <Badge state="warning">{detail.neverUsed}</Badge>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The tokens that were issued under it. */
export function TokenList({ tokens: { count, latest } }: { tokens: IssuedTokens }) {
  if (count === 0) return <p className="text-faint">{detail.noTokens}</p>
  return (
    <div className="text-sm">
      <p>{detail.tokenCount(count)}</p>
      <ul className="mt-2 divide-y divide-line">
        {latest.map(({ issuedAt, scopes, state }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tokens are known by nothing but their hashes
          <li key={index} className="flex flex-wrap justify-between gap-x-4 gap-y-1 py-2">
            <span>
              {detail.issued} <Time at={issuedAt.toISOString()} />
              <span className="block text-faint text-xs">{scopes.map(makeVisible).join(', ')}</span>
            </span>
            <Badge state={state === 'live' ? 'active' : state === 'ended' ? 'danger' : 'neutral'}>
              {detail.tokenStates[state]}
            </Badge>
          </li>
        ))}
      </ul>
    </div>
  )
}

type ReceiptProps = { receipts: GrantReceipts; brand: string | undefined }

/** The latest of what was done under it. */
export function ReceiptList({ receipts: { count, latest }, brand }: ReceiptProps) {
  if (count === 0) return <p className="text-faint">{detail.noReceipts}</p>
  return (
    <div className="text-sm">
      <p>{detail.receiptCount(count, MOST_COUNTED)}</p>
      <ul className="mt-2 divide-y divide-line">
        {latest.map(({ id, issuedAt, tools, scopesUsed }) => (
          <li key={id} className="py-2">
            <Link className="text-accent underline" href={brandHref(`/admin/receipts/${id}`, brand)}>
              <Time at={issuedAt.toISOString()} />
            </Link>
            <span className="block break-words">{tools.map(makeVisible).join(', ') || detail.noTools}</span>
            <span className="block break-words text-faint text-xs">
              {scopesUsed.map(makeVisible).join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
