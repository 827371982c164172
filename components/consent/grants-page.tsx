import type { ReactNode } from 'react'
import type { AllowedGrant } from '#lib/delegation/allowed.ts'
import { GRANTS } from '#lib/delegation/consent-texts.ts'
import { MOST_COUNTED } from '#lib/delegation/grant-receipts.ts'
import { type AccountFacts, AccountName, YourAccount } from './account-name.tsx'
import { type BannerFacts, BrandBanner } from './brand-banner.tsx'
import { PersonalAgentName } from './personal-agent.tsx'
import { ReceiptList } from './receipt-list.tsx'
import { Time } from './time.tsx'

type Target = { grantsUrl: string; formSecret: string }

type FormProps = Target & { fields: Record<string, string>; label: string; children: ReactNode }

/** One button that changes something: a form of its own, which works without scripts. */
function ActionForm({ grantsUrl, formSecret, fields, label, children }: FormProps) {
  return (
    <form method="post" action={grantsUrl}>
      <input type="hidden" name="session" value={formSecret} />
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
  const { id, personalAgent, scopes, receipts, createdAt, expiresAt, lastUsedAt, oneOf } = grant
  const number = oneOf ? ` (${oneOf.number} of ${oneOf.count})` : ''
  const name = personalAgent.name + number
  return (
    <section className="grant" aria-label={`${name}, ${personalAgent.origin}`}>
      <h2>
        <PersonalAgentName {...personalAgent} />
      </h2>
      {oneOf ? (
        <p className="detail">
          Number {oneOf.number} of {oneOf.count}. This assistant keeps several users apart, such as two
          profiles of yours, and each was allowed by itself. Withdrawing from one leaves the others as they
          are.
        </p>
      ) : null}
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
              label={`Withdraw from ${name}: ${scope.description}`}
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
        label={`Withdraw everything from ${name}`}
      >
        Withdraw everything
      </ActionForm>
    </section>
  )
}

type Props = Target & {
  brand: BannerFacts
  account: AccountFacts
  grants: readonly AllowedGrant[]
  /** What has just been done. */
  message: string | undefined
  /** The browser's session is one account's, a login opened a page of another's. */
  conflict: { browser: AccountFacts; page: AccountFacts; formSecret: string } | undefined
  /** Where another account can log in. */
  loginUrl: string
}

/** Asks which account the browser's session shall be: none takes the other's place by itself. */
function AccountConflict({ conflict, grantsUrl }: { conflict: Props['conflict']; grantsUrl: string }) {
  if (!conflict) return null
  const { browser, page, formSecret } = conflict
  return (
    <div className="warning" role="status">
      <p>This browser is logged in with the account</p>
      <p className="who">
        <AccountName {...browser} />
      </p>
      <p>There was a login with another one. If it was not yours, leave this as it is.</p>
      <p className="who">
        <AccountName {...page} />
      </p>
      <ActionForm
        grantsUrl={grantsUrl}
        formSecret={formSecret}
        fields={{ action: 'change-account' }}
        label="Use this one from now on"
      >
        Use this one from now on
      </ActionForm>
    </div>
  )
}

/** What a User has allowed at a Brand, and what was done with it. */
export function GrantsPage({ brand, account, grants, message, conflict, loginUrl, ...target }: Props) {
  return (
    <>
      <BrandBanner {...brand} />
      <h1>{GRANTS}</h1>
      {message === undefined ? null : (
        <p className="notice" role="status">
          {message}
        </p>
      )}
      <AccountConflict conflict={conflict} grantsUrl={target.grantsUrl} />
      <dl>
        <YourAccount account={account} loginUrl={loginUrl} />
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
