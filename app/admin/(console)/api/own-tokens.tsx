import { KeyRound } from 'lucide-react'
import { ConfirmAction } from '#components/console/confirm-action.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Card } from '#components/ui/card.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { RelativeTime } from '#components/ui/time.tsx'
import type { OwnToken } from '#lib/access/api-tokens.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { revokeToken } from './actions.ts'
import { texts } from './texts.ts'

type Props = { tokens: readonly OwnToken[]; nameOf: (brandId: string) => string }

function Times({ createdAt, lastUsedAt, expiresAt }: OwnToken) {
  return (
    <p className="text-faint">
      {texts.created} <RelativeTime at={createdAt.toISOString()} /> ·{' '}
      {lastUsedAt ? (
        <>
          {texts.lastUsed} <RelativeTime at={lastUsedAt.toISOString()} />
        </>
      ) : (
        texts.never
      )}{' '}
      · {expiresAt > new Date() ? texts.expires : texts.expired} <RelativeTime at={expiresAt.toISOString()} />
    </p>
  )
}

function TokenRow({ token, nameOf }: { token: OwnToken; nameOf: Props['nameOf'] }) {
  const name = makeVisible(token.name)
  const { id, prefix, brandId, expiresAt, permissions } = token
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 py-3 text-sm">
      <div className="min-w-0 space-y-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <bdi>{name}</bdi> <code className="font-normal text-faint">{prefix}…</code>
          {expiresAt > new Date() ? null : <Badge state="warning">{texts.expired}</Badge>}
        </p>
        <Times {...token} />
        <details>
          <summary className="cursor-pointer">
            {texts.permissionCount(permissions.length)} · {brandId ? nameOf(brandId) : texts.allBrands}
          </summary>
          <p className="mt-1 break-words font-mono text-faint text-xs">{permissions.join(' ')}</p>
        </details>
      </div>
      <ConfirmAction
        action={revokeToken}
        fields={{ token: id }}
        label={texts.revoke}
        size="small"
        title={texts.revokeTitle}
        description={texts.revokeHint(name)}
        confirmLabel={texts.revoke}
        danger
      />
    </li>
  )
}

/** The viewer's tokens, and how to end them. */
export function OwnTokens({ tokens, nameOf }: Props) {
  return (
    <Card title={texts.own}>
      {tokens.length === 0 ? (
        <EmptyState title={texts.emptyTitle} icon={<KeyRound />}>
          {texts.emptyHint}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} nameOf={nameOf} />
          ))}
        </ul>
      )}
    </Card>
  )
}
