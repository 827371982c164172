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
    lines: ['A code is good for ten minutes. Nothing was allowed.', 'Ask your assistant for a new link.'],
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
    lines: ['Nothing was decided.', 'Open the link that your assistant shows again, and log in anew.'],
  },
  replayed: {
    title: 'This login was used already',
    lines: [
      'Each login opens this page once. That happens when a page is loaded again; nothing was decided by it.',
      'Open the link that your assistant shows again.',
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
      'What the login says is good for a few minutes only, or a clock is wrong. Nothing was allowed.',
      'Open the link that your assistant shows again.',
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
    lines: ['Nothing was decided.', 'Open the link that your assistant shows again.'],
  },
  failure: {
    title: 'Something went wrong here',
    lines: ['It is not your doing.', 'Open the link that your assistant shows again in a minute.'],
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

/** A plain page: what happened, and what to do. */
export function ProblemPage({ problem, grantsUrl }: { problem: Problem; grantsUrl?: string | undefined }) {
  const { title, lines } = explanations[problem]
  return (
    <>
      <h1>{title}</h1>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {problem === 'used' && grantsUrl !== undefined ? (
        <p>
          <a href={grantsUrl}>See or withdraw what you have allowed</a>
        </p>
      ) : null}
    </>
  )
}
