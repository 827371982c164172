// The small one: this goes to the browser.
import * as z from 'zod/mini'
import { KEPT_CHECK } from './forget-kept-checks.ts'
import type { TriedCheck } from './tried-check.ts'

const keptCheckSchema = z.object({
  row: z.object({ name: z.string(), scopes: z.string(), turns: z.string(), answers: z.string() }),
  unanswered: z.array(z.string()),
  isCut: z.boolean(),
})

const keyOf = (brandId: string) => `${KEPT_CHECK}${brandId}`

/** Keeps a check for the page of checks, in this tab alone: what was tried goes nowhere else. */
export function keepCheck(brandId: string, check: TriedCheck): void {
  sessionStorage.setItem(keyOf(brandId), JSON.stringify(check))
}

/** What {@link keepCheck} kept, until it is dropped. Undefined: nothing, or what another version of the page kept. */
export function readKeptCheck(brandId: string): TriedCheck | undefined {
  try {
    return keptCheckSchema.safeParse(JSON.parse(sessionStorage.getItem(keyOf(brandId)) ?? '')).data
  } catch {
    return undefined
  }
}

/** Drops what was kept: it is saved now, or not wanted. */
export function dropKeptCheck(brandId: string): void {
  sessionStorage.removeItem(keyOf(brandId))
}
