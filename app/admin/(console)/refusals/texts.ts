import { numberText } from '#components/ui/number-text.ts'

/** Every text of the refused requests' page; the reasons stand in `reason-texts.ts`. */
export const texts = {
  title: 'Refused requests',
  description:
    'Who was answered 401 or 429, and why. The caller is never told the reason; tokens and Users are not kept.',
  filters: { hours: 'Time', reason: 'Reason', anyReason: 'Every reason' },
  hours: {
    '1': 'The last hour',
    '24': 'The last 24 hours',
    '168': 'The last 7 days',
    '720': 'The last 30 days',
  },
  counted: {
    title: 'By personal agent and reason',
    caption: 'Refused requests by personal agent and reason',
    pages: 'Pages by personal agent and reason',
    columns: {
      agent: 'Personal agent',
      reason: 'Reason',
      advice: 'What its developer can do',
      count: 'Requests',
      last: 'Last in the hour from',
    },
  },
  latest: {
    title: 'The last ones',
    description:
      'Of each personal agent and reason the last 20, for a week at most. Those of one minute that are alike stand in one row.',
    caption: 'The last refused requests, the latest first',
    pages: 'Pages of the last ones',
    columns: { at: 'Time', agent: 'Personal agent', reason: 'Reason', brand: 'Brand', count: 'Alike' },
    empty: 'None of the last week is left.',
  },
  pages: { before: 'Newer', after: 'Older' },
  unknown: 'Not recognised',
  claims: 'Its token says',
  noBrand: 'None of ours',
  count: (count: number) => numberText(count),
  empty: {
    title: 'No request was refused',
    body: 'In this time every request was let in. To see what a personal agent does wrong, check its token on its page.',
  },
}
