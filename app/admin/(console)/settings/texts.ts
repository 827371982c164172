import { numberText } from '#components/ui/number-text.ts'

const agents = (count: number) => (count === 1 ? '1 personal agent' : `${numberText(count)} personal agents`)

export const texts = {
  title: 'Settings',
  description: 'What holds for the whole Provider.',
  saved: 'The settings are saved.',
  save: 'Save settings',
  readOnly: 'You can look at the settings. Provider admins change them.',
  missing: {
    title: 'No settings are stored yet',
    body: 'They come with the first provision file: apply one with “npm run pact -- apply FILE”.',
  },
  groups: {
    organization: 'Organization',
    trust: 'Personal agents',
    limits: 'Rate limits',
    people: 'People and data',
  },
  labels: {
    organization: 'Name',
    audience: 'Audience',
    audienceAgain: 'Type the new audience again',
    trust: 'Who may call',
    'limits.perPersonalAgent.requests': 'Per personal agent: requests',
    'limits.perPersonalAgent.perSeconds': 'Per personal agent: in how many seconds',
    'limits.perUser.requests': 'Per User: requests',
    'limits.perUser.perSeconds': 'Per User: in how many seconds',
    adminsNeedSecondFactor: 'Provider admins must have a second factor',
    retentionDays: 'Keep the text of messages for days',
  },
  hints: {
    organization: 'On every Agent Card, as the Provider.',
    audience: 'Every personal agent puts it into its tokens as “aud”, character by character.',
    audienceAgain: (count: number) =>
      `Changing the audience refuses ${agents(count)} at once, until ${count === 1 ? 'its developer has' : 'their developers have'} changed it too.`,
    trust: 'Discovered ones can be disabled one by one.',
    limits:
      'So many at once, and again so many in that time. Beyond it the answer is 429. Personal agents may have limits of their own.',
    adminsNeedSecondFactor: (all: number, without: number) =>
      without === 0
        ? `All ${numberText(all)} have one.`
        : `${numberText(without)} of ${numberText(all)} ${without === 1 ? 'has' : 'have'} none yet, and must set one up at the next sign-in.`,
    retentionDays:
      'At Brands that do not say it themselves. Leave it empty to keep the text. What is older is deleted within minutes, for good.',
  },
  trust: {
    allowlist: 'Only registered personal agents',
    open: 'Any personal agent whose keys can be found',
  },
  perPersonalAgent: 'Limit per personal agent',
  perUser: 'Limit per User',
  retention: 'Text of messages is kept for',
  on: 'Yes',
  off: 'No',
  kept: 'Ever',
  days: (count: number) => (count === 1 ? '1 day' : `${numberText(count)} days`),
  bucket: (requests: number, seconds: number) =>
    `${numberText(requests)} ${requests === 1 ? 'request' : 'requests'} in ${numberText(seconds)} ${seconds === 1 ? 'second' : 'seconds'}`,
  confirmAudience: (count: number) =>
    `must be the new audience once more: ${agents(count)} will be refused until ${count === 1 ? 'it sends' : 'they send'} it`,
  provision: {
    title: 'Provision file',
    description:
      'The whole Provider as one file: settings, personal agents, Brands and who may use the console. No secret is in it.',
    download: 'Download provision file',
    advice: 'Applied again, it changes nothing. The operator’s CLI writes the same file:',
    command: 'npm run pact -- export provision.yaml',
  },
  members: {
    title: 'Members',
    description: 'Who may use the console, and as what.',
    open: 'Show members',
  },
}
