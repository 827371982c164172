import { Alert } from '#components/ui/alert.tsx'
import { Card } from '#components/ui/card.tsx'
import { DescriptionList } from '#components/ui/description-list.tsx'
import { Time } from '#components/ui/time.tsx'
import type { ReceiptVerdict } from '#lib/delegation/check-held-receipt.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { texts } from './texts.ts'

type Claims = Extract<ReceiptVerdict, { ok: true }>['claims']

const { terms } = texts

function Actions({ actions }: Pick<Claims, 'actions'>) {
  if (actions.length === 0) return terms.nothing
  return (
    <ol className="list-inside list-decimal">
      {actions.map(({ tool }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls have no other name than their place
        <li key={index} className="break-all">
          <code>{makeVisible(tool)}</code>
        </li>
      ))}
    </ol>
  )
}

function Facts({ claims, brandName, kid }: { claims: Claims; brandName?: string; kid?: string }) {
  const shown = (text: string) => <bdi className="break-all">{makeVisible(text)}</bdi>
  const scopes = claims.scopesUsed.map(makeVisible).join(', ')
  return (
    <DescriptionList
      items={[
        {
          term: terms.user,
          value: (
            <>
              {shown(claims.user)} <span className="text-faint">({terms.usersNote})</span>
            </>
          ),
        },
        { term: terms.pa, value: shown(claims.pa) },
        {
          term: terms.brand,
          value: (
            <>
              {brandName ? <bdi className="block">{makeVisible(brandName)}</bdi> : null}
              {shown(claims.brand)}
            </>
          ),
        },
        { term: terms.ts, value: <Time at={claims.ts} /> },
        { term: terms.actions, value: <Actions actions={claims.actions} /> },
        { term: terms.scopes, value: scopes ? <bdi className="break-all">{scopes}</bdi> : terms.noScopes },
        { term: terms.grant, value: shown(claims.grantId) },
        ...(kid ? [{ term: terms.kid, value: shown(kid) }] : []),
      ]}
    />
  )
}

/** What a receipt proves, or why it proves nothing. */
export function Verdict({ verdict }: { verdict: ReceiptVerdict }) {
  if (verdict.ok) {
    const { claims, brandName, kid } = verdict
    return (
      <div className="space-y-4">
        <Alert kind="success" title={texts.valid}>
          {texts.validWhy(makeVisible(brandName))}
        </Alert>
        <Card title={texts.proves}>
          <Facts claims={claims} brandName={brandName} kid={kid} />
        </Card>
      </div>
    )
  }
  const reason =
    verdict.because === 'unreadable' ? makeVisible(verdict.detail) : texts.reasons[verdict.because]
  return (
    <div className="space-y-4">
      <Alert kind="danger" title={texts.invalid}>
        {reason}
      </Alert>
      {'claims' in verdict ? (
        <Card title={texts.claimed}>
          <Facts claims={verdict.claims} />
        </Card>
      ) : null}
    </div>
  )
}
