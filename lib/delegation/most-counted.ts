/** Up to how many grants are counted before they are revoked; one more means: more. */
export const MOST_COUNTED = 10_000
