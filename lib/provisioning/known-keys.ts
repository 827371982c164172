import { z } from 'zod'
import type { Path } from './fault.ts'

/** The schemas that may apply at one step of the path: a union has several. */
function unwrap(schema: unknown): unknown[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrap(schema.unwrap())
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(unwrap)
  return [schema]
}

function descend(schema: unknown, step: string | number): unknown[] {
  if (schema instanceof z.ZodObject) return step in schema.shape ? [schema.shape[step]] : []
  if (schema instanceof z.ZodArray) return [schema.element]
  if (schema instanceof z.ZodRecord) return [schema.valueType]
  return []
}

/** The keys that `schema` knows for the map at `path`; of a union, those of every member. */
export function knownKeys(schema: z.ZodType, path: Path): string[] {
  const reached = path.reduce(
    (schemas, step) => schemas.flatMap((each) => descend(each, step)).flatMap(unwrap),
    unwrap(schema),
  )
  return [...new Set(reached.flatMap((each) => (each instanceof z.ZodObject ? Object.keys(each.shape) : [])))]
}

/** How many letters must be added, dropped or replaced to turn one word into the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** The word among `words` that `typed` was probably meant to be. */
export function findSimilar(typed: string, words: readonly string[]): string | undefined {
  if (typed.length > 100) return undefined
  const near = words
    .map((word) => ({ word, away: distance(typed.toLowerCase(), word.toLowerCase()) }))
    .sort((a, b) => a.away - b.away)[0]
  return near && near.away <= Math.max(1, Math.floor(near.word.length / 3)) ? near.word : undefined
}
