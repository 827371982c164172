/** Where this tab keeps checks that were made of what somebody tried. */
export const KEPT_CHECK = 'pact:tried-check:'

/** Forgets what the tab keeps, of every Brand: nobody is signed in any more. */
export function forgetKeptChecks(): void {
  const keys = Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at))
  for (const key of keys) if (key?.startsWith(KEPT_CHECK)) sessionStorage.removeItem(key)
}
