import { DescriptionList } from '#components/ui/description-list.tsx'
import { Time } from '#components/ui/time.tsx'
import type { GrantConsent, ShownPage } from '#lib/delegation/grant-consents.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { texts } from '../texts.ts'

const { detail } = texts

function ScopeGroup({
  title,
  scopes,
  checked,
}: {
  title: string
  scopes: ShownPage['scopes']
  checked: string[]
}) {
  if (scopes.length === 0) return null
  return (
    <div>
      <p className="font-medium">{makeVisible(title)}</p>
      <ul className="mt-1 space-y-1">
        {scopes.map(({ id, description }) => (
          <li key={id}>
            <bdi>{makeVisible(description)}</bdi>{' '}
            <span className="text-faint text-xs">
              (<code>{makeVisible(id)}</code>, {checked.includes(id) ? detail.leftChecked : detail.unchecked})
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A consent page as it was, in its own words. */
function Shown({ page, checked }: { page: ShownPage; checked: string[] }) {
  const { texts: said, account, userCode, scopes } = page
  if (!said) return null
  const who = account && [account.name, account.email, account.id].filter((each) => each !== undefined)
  return (
    <blockquote className="space-y-3 rounded-card border border-line bg-muted/40 px-4 py-3 text-sm">
      <p className="font-semibold">{makeVisible(said.title)}</p>
      <p>{makeVisible(said.lead)}</p>
      <p>{makeVisible(said.identity)}</p>
      <p>{makeVisible(said.warning)}</p>
      <ScopeGroup
        title={said.requested}
        scopes={scopes.filter(({ requested }) => requested)}
        checked={checked}
      />
      <ScopeGroup
        title={said.besides ?? ''}
        scopes={scopes.filter(({ requested }) => !requested)}
        checked={checked}
      />
      <p>{makeVisible(said.duration)}</p>
      <p>{makeVisible(said.noneChecked)}</p>
      <p className="text-faint">
        [{makeVisible(said.allow)}] [{makeVisible(said.deny)}]
      </p>
      <DescriptionList
        items={[
          ...(userCode ? [{ term: detail.code, value: <code>{makeVisible(userCode)}</code> }] : []),
          ...(who ? [{ term: detail.account, value: <bdi>{who.map(makeVisible).join(', ')}</bdi> }] : []),
        ]}
      />
    </blockquote>
  )
}

/** What the User was shown, word for word, at each consent. */
export function ConsentList({ consents }: { consents: readonly GrantConsent[] }) {
  if (consents.length === 0) return <p className="text-faint">{detail.noConsents}</p>
  return (
    <ol className="space-y-3">
      {consents.map(({ id, decidedAt, scopes, shown }, index) => (
        <li key={id}>
          <details open={index === 0}>
            <summary className="cursor-pointer text-sm">
              {detail.asked} <Time at={decidedAt.toISOString()} />
            </summary>
            <div className="mt-2">
              {shown ? <Shown page={shown} checked={scopes} /> : <p className="text-sm">{detail.skipped}</p>}
            </div>
          </details>
        </li>
      ))}
    </ol>
  )
}
