import type { Outcome } from '#lib/delegation/consent-choice.ts'
import { PersonalAgentName } from './personal-agent.tsx'

/** What came of it, where the Brand has no page of its own for that. */
export function OutcomePage({ outcome, grantsUrl }: { outcome: Outcome; grantsUrl: string }) {
  const { status, personalAgent, scopes } = outcome
  const who = (
    <p className="who">
      <PersonalAgentName {...personalAgent} />
    </p>
  )
  if (status === 'denied') {
    return (
      <>
        <h1>Nothing was allowed</h1>
        <p>This assistant did not get what it asked for:</p>
        {who}
        <p>You can close this page.</p>
      </>
    )
  }
  return (
    <>
      <h1>Allowed</h1>
      <p>This assistant goes on by itself in a moment:</p>
      {who}
      <p>It may</p>
      <ul>
        {scopes.map(({ id, description }) => (
          <li key={id}>
            <bdi>{description}</bdi>
          </li>
        ))}
      </ul>
      <p>You can close this page and go back to it.</p>
      <p>
        <a href={grantsUrl}>See or withdraw what you have allowed</a>
      </p>
    </>
  )
}
