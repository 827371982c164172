import { numberText } from '#components/ui/number-text.ts'
import { MOST_COUNTED } from '#lib/brands/brand-use.ts'
import { texts } from './texts.ts'

/** A count that stopped at a bound, for people. */
export function showCount(count: number): string {
  return count > MOST_COUNTED ? texts.state.numberUp(MOST_COUNTED) : numberText(count)
}
