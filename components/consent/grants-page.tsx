import type { ReactNode } from 'react'
import type { AllowedGrant } from '#lib/delegation/allowed.ts'
import { MOST_COUNTED } from '#lib/delegation/grant-receipts.ts'
import { AccountName } from './account-name.tsx'
import { type BannerFacts, BrandBanner } from './brand-banner.tsx'
import { PersonalAgentName } from './personal-agent.tsx'
import { ReceiptList } from './receipt-list.tsx'
import { Time } from './time.tsx'

type Target = { grantsUrl: string; csrfToken: string }

type FormProps = Target & { fields: Record<string, string>; label: string; children: ReactNode }

/** One button that changes something: a form of its own, which works without scripts. */
function ActionForm({ grantsUrl, csrfToken, fields, label, children }: FormProps) {
  return (
    <form method="post" action={grantsUrl}>
      <input type="hidden" name="session" value={csrfToken} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" aria-label={label}>
        {children}
      </button>
    </form>
  )
}

function GrantCard({ grant, target }: { grant: AllowedGrant; target: Target }) {
  const { id, personalAgent, scopes, receipts, createdAt, expiresAt, lastUsedAt } = grant
  return (
    <section className="grant" aria-label={`${personalAgent.name}, ${personalAgent.origin}`}>
      <h2>
        <PersonalAgentName {...personalAgent} />
      </h2>
      <p className="detail">
        Allowed <Time at={createdAt} />, until <Time at={expiresAt} />.{' '}
        {lastUsedAt ? (
          <>
            Last used <Time at={lastUsedAt} />.
          </>
        ) : (
          'Not used yet.'
        )}
      </p>
      <ul className="scopes">
        {scopes.map((scope) => (
          <li key={scope.id}>
            <span>
              <bdi>{scope.description}</bdi>
              <code className="detail">{scope.id}</code>
            </span>
            <ActionForm
              {...target}
              fields={{ action: 'withdraw', grant: id, scope: scope.id }}
              label={`Withdraw from ${personalAgent.name}: ${scope.description}`}
            >
              Withdraw
            </ActionForm>
          </li>
        ))}
      </ul>
      <ReceiptList receipts={receipts} mostCounted={MOST_COUNTED} />
      <ActionForm
        {...target}
        fields={{ action: 'revoke', grant: id }}
        label={`Withdraw everything from ${personalAgent.name}`}
      >
        Withdraw everything
      </ActionForm>
    </section>
  )
}

type Props = Target & {
  brand: BannerFacts
  account: { id: string; name: string | undefined; email: string | undefined }
  grants: readonly AllowedGrant[]
  /** What has just been done. */
  message: string | undefined
}

/** What a User has allowed at a Brand, and what was done with it. */
export function GrantsPage({ brand, account, grants, message, ...target }: Props) {
  return (
    <>
      <BrandBanner {...brand} />
      <h1>What I have allowed</h1>
      {message === undefined ? null : (
        <p className="notice" role="status">
          {message}
        </p>
      )}
      <dl>
        <div>
          <dt>Your account</dt>
          <dd>
            <AccountName {...account} />
          </dd>
        </div>
      </dl>
      {grants.length === 0 ? <p>No assistant may use this account.</p> : null}
      {grants.map((grant) => (
        <GrantCard key={grant.id} grant={grant} target={target} />
      ))}
      <ActionForm {...target} fields={{ action: 'sign-out' }} label="Sign out of this page">
        Sign out
      </ActionForm>
    </>
  )
}
