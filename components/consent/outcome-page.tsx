import type { Outcome } from '#lib/delegation/consent-choice.ts'
import { PersonalAgentName } from './personal-agent.tsx'

function Scopes({ scopes }: { scopes: Outcome['scopes'] }) {
  return (
    <ul>
      {scopes.map(({ id, description }) => (
        <li key={id}>
          <bdi>{description}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** The title of an outcome's page: never less than what is allowed after it. */
export function titleOfOutcome({ status, keeps }: Outcome): string {
  if (status === 'approved') return 'Allowed'
  return keeps.length > 0 ? 'Nothing new was allowed' : 'Nothing was allowed'
}

/** What came of it, where the Brand has no page of its own for that. */
export function OutcomePage({ outcome, grantsUrl }: { outcome: Outcome; grantsUrl: string }) {
  const { status, personalAgent, scopes, keeps } = outcome
  const held = status === 'approved' ? scopes : keeps
  return (
    <>
      <h1>{titleOfOutcome(outcome)}</h1>
      <p>
        {status === 'approved'
          ? 'You have allowed this assistant to act for you:'
          : 'This assistant did not get what it asked for:'}
      </p>
      <p className="who">
        <PersonalAgentName {...personalAgent} />
      </p>
      {held.length === 0 ? null : (
        <>
          <p>{status === 'approved' ? 'It may' : 'What you allowed before still holds. It may'}</p>
          <Scopes scopes={held} />
        </>
      )}
      <p>
        {status === 'approved'
          ? 'Go back to your assistant to go on. You can close this page.'
          : 'You can close this page.'}
      </p>
      <p>
        <a href={grantsUrl}>See or withdraw what you have allowed</a>
      </p>
    </>
  )
}
