import { numberText } from '#components/ui/number-text.ts'

const count = (value: number, most: number) =>
  value > most ? `more than ${numberText(most)}` : numberText(value)

const things = (value: number, most: number, one: string, many: string) =>
  `${count(value, most)} ${value === 1 ? one : many}`

const tokens = (value: number, most: number) => things(value, most, 'live token', 'live tokens')
const receipts = (value: number, most: number) => things(value, most, 'stored receipt', 'stored receipts')

export const texts = {
  title: 'Signing keys',
  description: 'Each Brand signs its delegation tokens, receipts and Agent Card with keys of its own.',
  tokens,
  receipts,
  list: {
    caption: 'Brands and their keys, by name',
    columns: {
      brand: 'Brand',
      active: 'Active key',
      next: 'Next key',
      retired: 'Retired',
      compromised: 'Compromised',
      schedule: 'Rotates',
    },
    search: 'Brand',
    searchHint: 'A part of its name',
    signsSince: 'signs since',
    publishedSince: 'published since',
    none: 'none yet',
    noNext: 'none',
    byHand: 'by hand',
    empty: {
      title: 'No Brand signs anything yet',
      body: 'A Brand gets its first key when it gets scopes and login settings.',
      action: 'Show Brands',
    },
    nothingFound: {
      title: 'No Brand is like that',
      body: 'Only Brands with scopes and login settings have keys. Look for a shorter part of the name.',
      action: 'Show all Brands',
    },
  },
  every: (days: number) => (days === 1 ? 'every day' : `every ${numberText(days)} days`),
  states: {
    next: 'Next',
    active: 'Active',
    retired: 'Retired',
    removed: 'Removed',
    compromised: 'Compromised',
  },
  does: {
    next: 'Published, so that everyone can know it. It does not sign yet.',
    active: 'Signs delegation tokens, receipts and the Agent Card.',
    retired: 'Signs no more. What it signed can still be verified.',
    removed: 'Not published any more: nothing that is kept was signed with it.',
    compromised: 'Verifies nothing any more, whatever it signed.',
  },
  timeline: {
    title: 'Timeline',
    verifies: 'Still verifies',
    none: 'nothing',
    both: (use: { tokens: number; receipts: number }, most: number) =>
      `${tokens(use.tokens, most)} and ${receipts(use.receipts, most)}`,
    made: 'Made',
    signed: 'Signed from',
    signedUntil: 'Signed until',
    ended: 'Ended',
    maySignFrom: 'May sign from',
    open: 'Details',
    empty: {
      title: 'This Brand has no signing key yet',
      body: 'It gets its first by itself, when something is to be signed for it. You can also make it now.',
    },
  },
  rotate: {
    button: 'Rotate now',
    firstTitle: 'Publish the next key?',
    first:
      'A new key is published. It does not sign yet: others may use their copy of the key set for 5 minutes. Then it signs by itself, and the key of now retires. No request fails.',
    secondTitle: 'Let the next key sign?',
    second:
      'Once it has been published for 5 minutes, the next key signs and the key of now retires. Nothing that was signed becomes invalid.',
    noneTitle: 'Make the first key?',
    none: 'The Brand gets a key, which signs at once.',
    publish: 'Publish it',
    activate: 'Let it sign',
    make: 'Make it',
    published: (time: string) => `The next key is published. It signs by itself from ${time}.`,
    waiting: (time: string) => `The next key is published, and signs by itself from ${time}.`,
    activated: 'The new key signs now.',
    nothing: 'There is nothing to change.',
    forceButton: 'Rotate without waiting',
    forceTitle: 'Rotate without waiting?',
    force:
      'A new key signs at once. For up to 5 minutes, those who have a copy of the key set from before may refuse what it signs. This is for emergencies.',
    forceConfirm: 'Let it sign at once',
  },
  schedule: {
    title: 'Schedule',
    description: 'Replaces the active key by itself, without a request that fails.',
    days: 'Rotate every … days',
    hint: 'Leave it empty to rotate by hand. At least 0.01, at most 3,650.',
    save: 'Save schedule',
    off: 'Keys of this Brand are rotated by hand.',
    on: (every: string) => `The active key is replaced ${every}.`,
  },
  jwks: {
    title: 'The key set as published',
    description: 'Everyone fetches it at',
    unpublished:
      'Not served at this moment: the Brand is disabled, or has no scopes and login settings. Its place is',
  },
  detail: {
    title: 'Signing key',
    facts: 'About it',
    state: 'State',
    brand: 'Brand',
    algorithm: 'Algorithm',
    publicKey: 'Public key',
    publicKeyWhy: 'The private half is stored encrypted, and is deleted once the key signs no more.',
    back: 'Timeline',
  },
  retire: {
    button: 'Retire',
    title: {
      next: 'Remove this key?',
      active: 'Retire this key?',
      retired: 'Remove this key?',
    },
    what: {
      next: 'It never signed: it is not published any more, and nothing becomes invalid.',
      active: 'The next key signs from now on. What this one signed can still be verified.',
      retired: 'It is not published any more. This is refused while a token or a receipt still needs it.',
    },
    confirm: { next: 'Remove', active: 'Retire', retired: 'Remove' },
    done: 'Done.',
  },
  compromise: {
    button: 'Mark as compromised',
    title: 'Does somebody else have this key?',
    what: (use: { tokens: number; receipts: number }, most: number) =>
      `${tokens(use.tokens, most)} and ${receipts(use.receipts, most)} hang on it. All of them become invalid within a second, for good: personal agents must get new tokens, and these receipts prove nothing any more.`,
    activeToo: 'A new key signs at once.',
    undone: 'This can’t be undone.',
    confirm: 'Mark as compromised',
    done: 'The key is compromised: nothing that it signed counts any more.',
    name: 'This is not the Brand’s name.',
  },
  refusals: {
    'unknown-key': 'This key does not exist any more. Load the page again.',
    ended: 'This key has ended already. Load the page again.',
    'no-successor': 'No other key may sign yet. Rotate first, and wait until the next key signs.',
    neededForReceipts: 'It is still needed: receipts that it may have signed are kept.',
    neededUntil: (time: string) => `It is still needed: tokens that it signed are valid until ${time}.`,
  },
}
