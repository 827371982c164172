import { numberText } from '#components/ui/number-text.ts'

const events = (count: number) => (count === 1 ? '1 event' : `${numberText(count)} events`)

export const texts = {
  title: 'Audit log',
  description: 'Every change and sign-in: who, what, when and from where. Nobody can edit it.',
  caption: 'Events, the latest first',
  columns: {
    at: 'When',
    actor: 'Who',
    action: 'What',
    subject: 'To what',
    brand: 'Brand',
    address: 'From',
  },
  filters: {
    actor: 'Who',
    actorHint: 'Whole e-mail address or name',
    action: 'What',
    anyAction: 'Anything',
    from: 'From day (UTC)',
    until: 'To day (UTC)',
  },
  actorKinds: {
    user: 'Console user',
    token: 'API token',
    cli: 'Operator’s CLI',
    system: 'The product itself',
  } as Record<string, string>,
  provider: 'The Provider',
  goneBrand: 'A Brand that is gone',
  pages: { before: 'Newer', after: 'Older' },
  empty: {
    title: 'Nothing has happened yet',
    body: 'Changes and sign-ins appear here as they happen.',
  },
  nothingFound: {
    title: 'No event is like that',
    body: 'Take a filter away to see more. A name must be given whole.',
    action: 'Show all events',
  },
  export: { csv: 'Export as CSV', jsonl: 'Export as JSON Lines' },
  verify: {
    label: 'Check the chain',
    running: (done: number, all: number) => `${numberText(done)} of ${events(all)} checked…`,
    holds: (count: number) => `The chain holds: ${events(count)}, none changed or taken out.`,
    last: (id: string) =>
      `Its end is event ${id}. Note the hash somewhere else: it would show that later events were cut off.`,
    broken: (id: string) => `The chain is broken at event ${id}.`,
    because: {
      missing: 'No event has this number: it was taken out.',
      unlinked: 'It does not name the event before it: one of the two was replaced.',
      changed: 'Its content is not what was written.',
    },
    advice:
      'Somebody with the database’s own password has changed the log. Compare with a backup from before.',
    failed: 'The check could not be finished. Try again in a moment.',
    forbidden: 'You may not do this.',
  },
  detail: {
    title: (id: string) => `Event ${id}`,
    facts: 'About it',
    id: 'Number',
    actorId: 'Id of who',
    code: 'As the log calls it',
    changed: 'Before and after',
    field: 'Field',
    before: 'Before',
    after: 'After',
    nothing: 'Nothing is recorded beside what stands above.',
    none: '–',
    chain: 'In the chain',
    hash: 'Hash',
    previous: 'Hash of the event before',
    others: 'Everything by them',
  },
}
