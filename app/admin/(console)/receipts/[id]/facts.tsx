import Link from 'next/link'
import { brandHref } from '#components/console/brand-href.ts'
import { PersonalAgentName } from '#components/console/personal-agent-name.tsx'
import { DescriptionList } from '#components/ui/description-list.tsx'
import { Time } from '#components/ui/time.tsx'
import type { ReceiptDetail } from '#lib/delegation/find-receipt-detail.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { texts } from '../texts.ts'

const { detail } = texts

function Scopes({ scopes }: Pick<ReceiptDetail, 'scopes'>) {
  if (scopes.length === 0) return detail.noScopes
  return (
    <ul className="space-y-1">
      {scopes.map(({ id, description }) => (
        <li key={id}>
          <bdi>{description === undefined ? detail.unknownScope : makeVisible(description)}</bdi>{' '}
          <code className="text-faint text-xs">{makeVisible(id)}</code>
        </li>
      ))}
    </ul>
  )
}

function Actions({ actions }: Pick<ReceiptDetail['claims'], 'actions'>) {
  if (actions.length === 0) return detail.noActions
  return (
    <ol className="list-inside list-decimal space-y-1">
      {actions.map(({ tool, argsHash }, index) => (
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
  )
}

/** A receipt's claims in words. */
export function ReceiptFacts({ receipt, brand }: { receipt: ReceiptDetail; brand: string | undefined }) {
  const { claims, personalAgent, subject } = receipt
  return (
    <DescriptionList
      items={[
        { term: detail.asUser, value: <bdi className="break-all">{makeVisible(claims.user)}</bdi> },
        { term: detail.forAgent, value: <PersonalAgentName personalAgent={personalAgent} /> },
        { term: detail.subject, value: <bdi className="break-all">{makeVisible(subject)}</bdi> },
        { term: detail.atBrand, value: <bdi>{makeVisible(receipt.brand.name)}</bdi> },
        { term: detail.at, value: <Time at={claims.ts} /> },
        { term: detail.actions, value: <Actions actions={claims.actions} /> },
        { term: detail.scopes, value: <Scopes scopes={receipt.scopes} /> },
        {
          term: detail.grant,
          value: (
            <Link
              className="break-all text-accent underline"
              href={brandHref(`/admin/grants/${encodeURIComponent(claims.grantId)}`, brand)}
            >
              {makeVisible(claims.grantId)}
            </Link>
          ),
        },
      ]}
    />
  )
}
