type Explanation = { title: string; lines: readonly string[] }

/** Everything that can be said in place of a page with something on it. The same for whoever guesses and whoever mistypes. */
const explanations = {
  unknown: {
    title: 'This code does not work',
    lines: [
      'There is no request with this code. It may have been mistyped, or it was for somebody else.',
      'Go back to your assistant and open its link again, or ask it for a new one.',
    ],
  },
  expired: {
    title: 'This code has expired',
    lines: [
      'A code is good for ten minutes. Nothing was allowed with it.',
      'Ask your assistant for a new link.',
    ],
  },
  used: {
    title: 'This was decided already',
    lines: [
      'A code works once. If you decided it yourself, there is nothing left to do: close this page.',
      'If it was not you, open what you have allowed and withdraw it there.',
    ],
  },
  'session-ended': {
    title: 'This page has expired',
    lines: [
      'It can decide nothing any more, and it has not just now. What you decided before still counts.',
      'To decide what your assistant asks for, log in again.',
    ],
  },
  'list-ended': {
    title: 'You are not logged in any more',
    lines: ['Nothing was withdrawn. Log in again to see what you have allowed.'],
  },
  'list-form': {
    title: 'This form could not be read',
    lines: ['Nothing was withdrawn. Open the list of what you have allowed, and try it there.'],
  },
  replayed: {
    title: 'This login was used already',
    lines: [
      'Each login opens this page once. That happens when a page is loaded again; nothing was decided by it.',
      'Log in again to come back to it.',
    ],
  },
  forged: {
    title: 'This login could not be confirmed',
    lines: [
      'What came from the login is not right, so nothing was opened and nothing was allowed.',
      'Open the link that your assistant shows again. If this stays, tell the company whose login it is.',
    ],
  },
  stale: {
    title: 'This login took too long',
    lines: [
      'What the login says is good for a few minutes only, or a clock is wrong. Nothing was allowed by it.',
      'Log in again. If this stays, tell the company whose login it is.',
    ],
  },
  unreachable: {
    title: 'This login can’t be checked at the moment',
    lines: [
      'The company’s login does not answer. Nothing was allowed.',
      'Try again in a minute with the link that your assistant shows.',
    ],
  },
  'too-many-attempts': {
    title: 'Too many codes that do not exist',
    lines: [
      'To keep others’ requests safe, no more codes can be tried for a while.',
      'Wait a few minutes, then open the link that your assistant shows.',
    ],
  },
  'no-brand': {
    title: 'There is nothing to allow here',
    lines: [
      'No company is at this address, or it does not let assistants use accounts.',
      'Go back to your assistant and open its link again.',
    ],
  },
  'bad-form': {
    title: 'This form could not be read',
    lines: ['Nothing was decided by it.', 'Open the link that your assistant shows again.'],
  },
  failure: {
    title: 'Something went wrong here',
    lines: ['It is not your doing.', 'Try again in a minute.'],
  },
  'signed-out': {
    title: 'Signed out',
    lines: ['This browser can’t see or change what you have allowed any more. You can close this page.'],
  },
} as const satisfies Record<string, Explanation>

export type Problem = keyof typeof explanations

/** The title of a problem's page. */
export function titleOf(problem: Problem): string {
  return explanations[problem].title
}

/** Where a User sees what counts, whatever happened here. */
const showsGrants: ReadonlySet<Problem> = new Set(['used', 'session-ended', 'list-ended', 'list-form'])

type Props = {
  problem: Problem
  grantsUrl?: string | undefined
  /** Where another login helps. */
  loginUrl?: string | undefined
}

/** A plain page: what happened, and what to do. */
export function ProblemPage({ problem, grantsUrl, loginUrl }: Props) {
  const { title, lines } = explanations[problem]
  return (
    <>
      <h1>{title}</h1>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {loginUrl === undefined ? null : (
        <p>
          <a href={loginUrl}>Log in again</a>
        </p>
      )}
      {showsGrants.has(problem) && grantsUrl !== undefined ? (
        <p>
          <a href={grantsUrl}>See or withdraw what you have allowed</a>
        </p>
      ) : null}
    </>
  )
}
