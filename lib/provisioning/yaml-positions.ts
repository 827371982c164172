import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node, type Pair } from 'yaml'
import type { Path } from './fault.ts'

export type Position = { line: number; column: number }

type Found = { key: Node | undefined; value: Node | undefined }

function resolve(document: Document, node: unknown): Node | undefined {
  if (isAlias(node)) return node.resolve(document)
  return isMap(node) || isSeq(node) || isScalar(node) ? node : undefined
}

function toNode(node: unknown): Node | undefined {
  return isAlias(node) || isMap(node) || isSeq(node) || isScalar(node) ? node : undefined
}

/** A pair's key as text; undefined when it is not a scalar. */
export function keyOf(pair: Pair): string | undefined {
  return isScalar(pair.key) ? String(pair.key.value ?? '') : undefined
}

function step(document: Document, parent: unknown, name: string | number): Found | undefined {
  const node = resolve(document, parent)
  if (isMap(node)) {
    const pair = node.items.findLast((item) => keyOf(item) === String(name))
    return pair && { key: toNode(pair.key), value: toNode(pair.value) }
  }
  if (!isSeq(node) || typeof name !== 'number' || !(name in node.items)) return undefined
  return { key: undefined, value: toNode(node.items[name]) }
}

/** The node at `path`, or the innermost one around it that is there. */
function find(document: Document, path: Path): Found {
  let found: Found = { key: undefined, value: document.contents ?? undefined }
  for (const name of path) {
    const next = step(document, found.value, name)
    if (!next) return found
    found = next
  }
  return found
}

/** A block map or list begins below its key, where nobody looks for it. */
function isBelowItsKey(value: Node | undefined): boolean {
  if (!value) return true
  if (isScalar(value)) return value.value === null && !value.source
  return (isMap(value) || isSeq(value)) && !value.flow
}

/**
 * Where the value at `path` stands in the file, or what is around it when it is missing.
 *
 * @param atKey point to its key instead
 */
export function positionOf(
  document: Document,
  lines: LineCounter,
  path: Path,
  atKey: boolean | undefined,
): Position {
  const { key, value } = find(document, path)
  const node = key && (atKey || isBelowItsKey(value)) ? key : value
  return toPosition(lines, node?.range?.[0] ?? 0)
}

/** Line and column of a character of the file. */
export function toPosition(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
}
