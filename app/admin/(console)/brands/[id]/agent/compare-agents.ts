import canonicalize from 'canonicalize'
import { isMap, type JsonMap } from '#lib/platform/json-map.ts'
import { compareFields, type FieldChange } from '#lib/provisioning/change.ts'

/** What an entry of a list is known by, best first: entries that agree in it are one and the same. */
type Identity = (entry: JsonMap, index: number) => string

const canonical = (value: unknown) => canonicalize(value) ?? ''
const byName: Identity = ({ name }) => canonical(name)

/** Rules have no name: one is what it was, or has its condition, or stands in its place. */
const identities = {
  rules: [canonical, ({ when }) => canonical(when), (_rule, index) => String(index)],
  tools: [byName],
  checks: [byName],
} as const satisfies Record<string, readonly Identity[]>

export type ListName = keyof typeof identities
const listNames = Object.keys(identities) as ListName[]

/** An entry of a list that is not what it was. `title`: its name; of one without, its number from 1. */
export type EntryChange = { title: string } & (
  | { kind: 'added' | 'removed'; value: JsonMap }
  | { kind: 'changed'; fields: FieldChange[] }
)

/** `reordered`: whether entries that were there before stand in another order. */
export type ListChange = { list: ListName; entries: EntryChange[]; reordered: boolean }

/** What is otherwise with an agent: of its lists, by entry; of all else, by its innermost members. */
export type AgentDifference = { lists: ListChange[]; settings: FieldChange[] }

function readList(agent: JsonMap, list: ListName): JsonMap[] {
  const entries = agent[list]
  return Array.isArray(entries) ? entries.filter(isMap) : []
}

/** @returns by the index of an entry, the one that it had before */
function pairEntries(
  before: readonly JsonMap[],
  after: readonly JsonMap[],
  known: readonly Identity[],
): Map<number, number> {
  const pairs = new Map<number, number>()
  const left = new Set(before.keys())
  for (const identify of known) {
    const waiting = Map.groupBy(left, (index) => identify(before[index] ?? {}, index))
    for (const [index, entry] of after.entries()) {
      const found = pairs.has(index) ? undefined : waiting.get(identify(entry, index))?.shift()
      if (found === undefined) continue
      pairs.set(index, found)
      left.delete(found)
    }
  }
  return pairs
}

function titleOf({ name }: JsonMap, index: number): string {
  return typeof name === 'string' ? name : String(index + 1)
}

function compareEntry(was: JsonMap | undefined, is: JsonMap, title: string): EntryChange[] {
  if (!was) return [{ kind: 'added', title, value: is }]
  const fields = compareFields(was, is)
  return fields.length === 0 ? [] : [{ kind: 'changed', title, fields }]
}

function compareLists(before: JsonMap, after: JsonMap, list: ListName): ListChange {
  const [was, is] = [readList(before, list), readList(after, list)]
  const pairs = pairEntries(was, is, identities[list])
  const kept = new Set(pairs.values())
  const entries = is.flatMap((entry, index) => {
    const paired = pairs.get(index)
    return compareEntry(paired === undefined ? undefined : was[paired], entry, titleOf(entry, index))
  })
  const removed = was.flatMap((value, index): EntryChange[] =>
    kept.has(index) ? [] : [{ kind: 'removed', title: titleOf(value, index), value }],
  )
  const order = is.flatMap((_entry, index) => pairs.get(index) ?? [])
  return { list, entries: [...entries, ...removed], reordered: !isAscending(order) }
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((each, index) => index === 0 || each > (numbers[index - 1] ?? 0))
}

/**
 * Compares two versions of an agent, as the provision file has one. The order of an object's members means nothing, and a list
 * that is left out is an empty one.
 */
export function compareAgents(before: unknown, after: unknown): AgentDifference {
  const [was, is] = [isMap(before) ? before : {}, isMap(after) ? after : {}]
  const without = (agent: JsonMap) =>
    Object.fromEntries(Object.entries(agent).filter(([name]) => !Object.hasOwn(identities, name)))
  const lists = listNames.map((list) => compareLists(was, is, list))
  return {
    lists: lists.filter(({ entries, reordered }) => entries.length > 0 || reordered),
    settings: compareFields(without(was), without(is)),
  }
}
