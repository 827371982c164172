import { numberText } from '#components/ui/number-text.ts'
import type { FailureCode } from '#lib/agents/failure-code.ts'

function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds} ms`
  return milliseconds < 60_000
    ? `${(milliseconds / 1_000).toFixed(1)} s`
    : `${Math.round(milliseconds / 60_000)} min`
}

export const texts = {
  title: 'Conversations',
  description: 'What Users’ personal agents and the Brands’ agents said to each other.',
  caption: 'Conversations, the latest first',
  columns: {
    begun: 'Begun',
    brand: 'Brand',
    personalAgent: 'Personal agent',
    user: 'User',
    state: 'State',
    messages: 'Messages',
    lastActive: 'Last active',
  },
  filters: {
    agent: 'Personal agent',
    agentHint: 'Name or issuer',
    user: 'User',
    userHint: 'The id at the Brand, or sub',
    state: 'State',
    anyState: 'Any',
    from: 'From (UTC)',
    until: 'Until (UTC)',
  },
  open: 'Open',
  closed: 'Closed',
  closedBy: {
    agent: 'Closed by the agent',
    console: 'Closed in the console',
    idle: 'Closed after its idle time',
  },
  pages: { before: 'Newer', after: 'Older' },
  count: (count: number, most: number) => (count > most ? `${numberText(most)}+` : numberText(count)),
  empty: {
    title: 'No conversations yet',
    body: 'One begins when a personal agent sends its first message. Give the developers of personal agents the address of a Brand’s Agent Card: it stands on the Brand’s page.',
    action: 'Show Brands',
  },
  nothingFound: {
    title: 'No conversation is like that',
    body: 'Take a filter away, or look at a longer time.',
    action: 'Show all conversations',
  },
  detail: {
    title: 'Conversation',
    facts: 'About it',
    transcript: 'Transcript',
    contextId: 'contextId',
    closedAt: 'Closed',
    retentionTerm: 'Retention',
    retention: (days: number) =>
      days === 1 ? 'Texts are deleted after 1 day' : `Texts are deleted after ${numberText(days)} days`,
    masked: 'The texts are masked',
    maskedWhy: 'This Brand shows your role how long each text is, and not the text itself.',
    user: 'User',
    agent: 'Agent',
    characters: (count: number) => (count === 1 ? '1 character' : `${numberText(count)} characters`),
    purged: 'This text was deleted when its retention time was over.',
    unanswered: (why: string) => `No reply was stored: ${why}.`,
    unknownFailure: 'the agent failed, took too long, or was interrupted',
    behind: (why: string) => `What went wrong: ${why}.`,
    failures: {
      'time-limit': 'the agent took longer than its time limit',
      'bot-silent': 'the Brand’s bot gave no answer',
      'bot-status': 'the Brand’s bot answered with another status than 200',
      'bot-unusable': 'what the Brand’s bot answered can’t be used',
      'bot-resting': 'the Brand’s bot was not asked, because it had failed several times in a row',
      'model-failed': 'the model gave no answer that can be used',
      'tool-failed': 'a call of the Brand’s API failed',
      unusable: 'what the agent answered can’t be stored or sent',
      'too-late': 'the answer came when the conversation had gone on without it',
      stopped: 'the process that ran it was stopped',
      failed: 'the agent failed',
    } satisfies Record<FailureCode, string>,
    running: 'The agent is working on it.',
    stepUp: 'Permission was missing',
    stepUpScopes: 'The User was asked for:',
    stepUpWhy: 'The message may have been sent again afterwards.',
    stepUpUnknown:
      'The agent asked the User for more permission. The message may have been sent again afterwards.',
    unsigned:
      'This was not delivered: its receipt could not be signed. What was done is on record, and is answered with a receipt once the message is sent again and the Brand’s signing key can be used.',
    noToken:
      'There was no delegation token, so there is no receipt. A message that asks for the same again stands here once, at the last time.',
    took: (milliseconds: number) => `took ${duration(milliseconds)}`,
    tools: 'Tool calls',
    argsHash: 'Hash of the arguments',
    noTools: 'No tool was called.',
    scopes: 'Permissions used',
    receipt: 'Receipt',
    grant: 'Grant',
    empty: 'Nothing is stored yet: the first message has not come to an end.',
    more: 'Later messages',
    start: 'Back to the beginning',
    cut: 'There were more step-ups here than are shown. The list of receipts has all of them.',
    close: 'Close conversation',
    closeTitle: 'Close this conversation?',
    closeWhat:
      '1 conversation ends. Its next message is refused, and the personal agent has to start a new one. A turn that runs now still gets its reply. It can’t be opened again.',
    closed: 'The conversation is closed.',
    closedBefore: 'It was closed already.',
  },
}
