/** A customer of the Brand. */
export type Account = {
  /** The id that every channel of the Brand uses: `sub` of assertions and of delegation tokens (§5.4). */
  id: string
  name: string
  email: string
  /** What the login page says beside the name. */
  about: string
}

const accounts: readonly Account[] = [
  {
    id: 'jane-4471',
    name: 'Jane Miller',
    email: 'jane@loomandthread.example',
    about: 'three orders, one of them not shipped',
  },
  { id: 'tom-1180', name: 'Tom Becker', email: 'tom@loomandthread.example', about: 'one order, delivered' },
]

export function listAccounts(): readonly Account[] {
  return accounts
}

export function findAccount(id: string): Account | undefined {
  return accounts.find((account) => account.id === id)
}
