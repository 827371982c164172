import type { ConsentView, ShownScope } from '#lib/delegation/consent-view.ts'
import { YourAccount } from './account-name.tsx'
import { BrandBanner } from './brand-banner.tsx'
import { PersonalAgentName } from './personal-agent.tsx'

function ScopeBoxes({ legend, scopes }: { legend: string; scopes: readonly ShownScope[] }) {
  if (scopes.length === 0) return null
  return (
    <fieldset>
      <legend>{legend}</legend>
      {scopes.map(({ id, description, requested, allowedBefore }) => (
        <label key={id} className="scope">
          <input type="checkbox" name="scope" value={id} defaultChecked />
          <span>
            <bdi>{description}</bdi>
            <span className="detail">
              <code>{id}</code>
              {requested && allowedBefore ? ' (allowed before)' : ''}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

type Props = {
  view: ConsentView
  pageToken: string
  consentUrl: string
  /** Where another account can log in. */
  loginUrl: string
  /** Where the User sees what they have allowed. */
  grantsUrl: string
  changed: boolean
}

/** §5.3: what a personal agent asks for, as checkboxes, and the two answers to it. */
export function ConsentPage({ view, pageToken, consentUrl, loginUrl, grantsUrl, changed }: Props) {
  const { texts, personalAgent, account, brand, userCode, scopes } = view
  return (
    <>
      <BrandBanner {...brand} />
      <h1>{texts.title}</h1>
      {changed ? (
        <p className="notice" role="status">
          Something on this page has changed since you saw it. Nothing has been decided yet: please look
          again.
        </p>
      ) : null}
      <p>{texts.lead}</p>
      <dl>
        <div>
          <dt>Assistant</dt>
          <dd>
            <PersonalAgentName {...personalAgent} />
            <span className={personalAgent.verified ? 'verified' : 'unverified'}>{texts.identity}</span>
          </dd>
        </div>
        <YourAccount account={account} loginUrl={loginUrl} />
        <div>
          <dt>Code</dt>
          <dd className="code">{userCode}</dd>
        </div>
      </dl>
      <p className="warning">{texts.warning}</p>
      <form method="post" action={consentUrl} autoComplete="off">
        <input type="hidden" name="session" value={pageToken} />
        <input type="hidden" name="user_code" value={userCode} />
        <ScopeBoxes legend={texts.requested} scopes={scopes.filter(({ requested }) => requested)} />
        <ScopeBoxes legend={texts.besides ?? ''} scopes={scopes.filter(({ requested }) => !requested)} />
        <p>{texts.noneChecked}</p>
        <p>{texts.duration}</p>
        {texts.denyKeeps === undefined ? null : <p>{texts.denyKeeps}</p>}
        {/* The Enter key presses the first button: the one that gives nothing away. */}
        <div className="buttons">
          <button type="submit" name="decision" value="deny">
            {texts.deny}
          </button>
          <button type="submit" name="decision" value="allow" className="primary">
            {texts.allow}
          </button>
        </div>
      </form>
      <p>
        <a href={grantsUrl}>{texts.grants}</a>
      </p>
    </>
  )
}
