import { RE2JS } from 're2js'
import { isMap, type JsonMap } from '#lib/platform/json-map.ts'

/** How many characters of a schema are about one step of its check. */
const STEP_LENGTH = 8

/** What makes a check longer than its schema. */
type Weights = {
  /** Instructions of all patterns together. */
  patterns: number
  /** Keywords that compare a list's entries with each other. */
  comparisons: number
  /** Whether parts refer to others: these may be checked any number of times. */
  refers: boolean
}

function sizeOfPattern(pattern: string): number {
  try {
    return RE2JS.compile(pattern).programSize()
  } catch {
    return 0
  }
}

function weighKeyword(weights: Weights, keyword: string, value: unknown): void {
  if (keyword === 'pattern' && typeof value === 'string') weights.patterns += sizeOfPattern(value)
  if (keyword === 'patternProperties' && isMap(value)) {
    for (const pattern of Object.keys(value)) weights.patterns += sizeOfPattern(pattern)
  }
  if (keyword === 'uniqueItems' && value === true) weights.comparisons += 1
  if (keyword === '$ref' || keyword === '$dynamicRef') weights.refers = true
}

function weigh(weights: Weights, part: unknown): Weights {
  if (Array.isArray(part)) for (const each of part) weigh(weights, each)
  if (!isMap(part)) return weights
  for (const [keyword, value] of Object.entries(part)) {
    weighKeyword(weights, keyword, value)
    weigh(weights, value)
  }
  return weights
}

/**
 * Says what a check may cost at most, in steps of some nanoseconds.
 *
 * @returns told how large the checked value is, in characters of JSON; infinite where nobody can say
 */
export function estimateCost(schema: JsonMap): (size: number) => number {
  const { patterns, comparisons, refers } = weigh({ patterns: 0, comparisons: 0, refers: false }, schema)
  const steps = patterns + JSON.stringify(schema).length / STEP_LENGTH
  // An entry of a list has two characters at least, its comma included.
  return (size) => (refers ? Number.POSITIVE_INFINITY : size * steps + comparisons * (size / 2) ** 2)
}
