/** A check as its fields show it. */
export type CheckRow = { name: string; scopes: string; turns: string; answers: string }

/** What a check's field says of what the User has allowed. @param scopes undefined: there is no token */
export function showScopes(scopes: readonly string[] | undefined): string {
  return scopes?.length === 0 ? '-' : (scopes?.join(', ') ?? '')
}
