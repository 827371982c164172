import { numberText } from '#components/ui/number-text.ts'
import { MOST_COUNTED } from '#lib/delegation/most-counted.ts'

const grants = (count: number) => (count === 1 ? '1 grant' : `${numberText(count)} grants`)

const counted = (count: number) =>
  count > MOST_COUNTED ? `More than ${numberText(MOST_COUNTED)} grants` : grants(count)

export const texts = {
  title: 'Grants',
  description: 'What Users allow personal agents to do for them at a Brand.',
  caption: 'Grants, the latest first',
  columns: {
    given: 'Given',
    brand: 'Brand',
    personalAgent: 'Personal agent',
    user: 'User',
    scopes: 'Permissions',
    state: 'State',
    lastUsed: 'Last used',
    expires: 'Ends',
  },
  filters: {
    agent: 'Personal agent',
    agentHint: 'Name or issuer',
    user: 'User',
    userHint: 'The id at the Brand, or sub',
    scope: 'Permission',
    scopeHint: 'Such as orders:read',
    state: 'State',
    anyState: 'Any',
  },
  states: { live: 'Live', expired: 'Expired', revoked: 'Revoked' },
  never: 'Never',
  pages: { before: 'Newer', after: 'Older' },
  empty: {
    title: 'No grants yet',
    body: 'One is made when a User allows something on a Brand’s consent page. For that, a Brand needs login settings and scopes: look whether it has them.',
    action: 'Show Brands',
  },
  nothingFound: {
    title: 'No grant is like that',
    body: 'Take a filter away to see more.',
    action: 'Show all grants',
  },
  revoke: {
    label: 'Revoke',
    title: 'Revoke this grant?',
    what: (scopes: number) =>
      `1 grant with ${scopes === 1 ? '1 permission' : `${numberText(scopes)} permissions`} ends at once, with all its tokens. The personal agent has to ask the User again. This can’t be undone.`,
    done: 'The grant is revoked.',
    before: 'It had ended already.',
  },
  revokeAll: {
    label: 'Revoke all that match…',
    title: 'Revoke all grants that match?',
    counting: 'Counting the live grants that match…',
    none: 'No live grant that you may revoke matches. Nothing is left to do.',
    what: (count: number) =>
      `${counted(count)} end${count === 1 ? 's' : ''} at once, with all tokens. ${count === 1 ? 'Its User has' : 'Their Users have'} to be asked again. This can’t be undone. Grants that were given after this count stay.`,
    filteredBy: 'Those with:',
    everything: 'Nothing is filtered: these are all live grants that you may revoke here.',
    confirm: 'Revoke them',
    close: 'Close',
    progress: (done: number, all: number) =>
      all > MOST_COUNTED ? `${grants(done)} revoked…` : `${numberText(done)} of ${grants(all)} revoked…`,
    done: (count: number) =>
      count === 1 ? '1 grant was revoked.' : `${numberText(count)} grants were revoked.`,
    stopped: (done: number) =>
      `The connection was lost after ${grants(done)}. Those stay revoked; open this again for the others.`,
    failed: (done: number) =>
      `Something went wrong on our side after ${grants(done)}. Open this again for the others.`,
    /** What is typed to confirm. */
    typed: (count: number) => String(Math.min(count, MOST_COUNTED)),
    tooWide:
      'More than 500 personal agents are meant, so some grants would be left out. Write more of the name or issuer.',
    forbidden: 'You may not do this.',
  },
  detail: {
    title: 'Grant',
    facts: 'About it',
    id: 'Id',
    revoked: 'Revoked',
    revokedBy: {
      user: 'by the User',
      personal_agent: 'by the personal agent',
      console: 'in the console',
      expiry: 'its time was over',
    } as Record<string, string>,
    notBefore: 'A refresh token was used twice',
    notBeforeWhat:
      'Somebody may have stolen it. Every token from before ended; the User’s consent stays, and a new login restores it.',
    scopes: 'Permissions',
    neverUsed: 'Never used',
    usedLast: 'Last used',
    noScopes: 'None are left.',
    notDefined: 'The Brand does not define it any more.',
    history: 'History',
    historyWhat: 'The latest first.',
    noHistory: 'Nothing is on record. Grants from before the history began have none.',
    change: {
      approved: 'Allowed',
      withdrawn: 'Taken back in part',
      revoked: 'Revoked',
      reused: 'A refresh token was used twice: its tokens ended',
      expired: 'Its time was over',
    } as Record<string, string>,
    by: {
      user: 'by the User',
      personal_agent: 'by the personal agent',
      console: 'in the console',
      expiry: 'by itself',
    } as Record<string, string>,
    added: 'Added',
    removed: 'Removed',
    unchanged: 'The permissions stayed the same.',
    consents: 'What the User was shown',
    consentsWhat: 'Word for word, at each consent.',
    noConsents: 'No consent is on record.',
    skipped: 'No page was shown: the grant already covered what was asked.',
    asked: 'Consent of',
    code: 'Code',
    account: 'Account',
    leftChecked: 'Left checked',
    unchecked: 'Unchecked',
    tokens: 'Tokens issued',
    tokensWhat: 'Each came with a delegation token. They are kept until a day after their end.',
    noTokens: 'None is known.',
    tokenCount: (count: number) =>
      count === 1 ? '1 token is known.' : `${numberText(count)} tokens are known; the latest:`,
    tokenStates: {
      live: 'Live',
      used: 'Used: another took its place',
      expired: 'Expired',
      ended: 'Ended by reuse',
    } as Record<string, string>,
    issued: 'Issued',
    receipts: 'Receipts',
    receiptCount: (count: number, most: number) => {
      if (count >= most) return `${numberText(most)} or more. The latest:`
      return count === 1 ? '1 receipt.' : `${numberText(count)} receipts. The latest:`
    },
    noReceipts: 'Nothing has been done with it.',
    noTools: 'No tool was called',
  },
}
