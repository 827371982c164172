import { type Document, isAlias, isMap, isScalar, isSeq, type YAMLMap } from 'yaml'
import { isStorable } from '#lib/platform/text.ts'
import type { Finding, Path } from './fault.ts'
import { keyOf } from './yaml-positions.ts'

type Visit = { document: Document; findings: Finding[]; around: readonly unknown[] }

function report(visit: Visit, path: Path, reason: string, atKey = false): void {
  visit.findings.push({ path, reason, atKey })
}

function checkKeys(map: YAMLMap, path: Path, visit: Visit): void {
  const seen = new Set<string>()
  for (const pair of map.items) {
    const key = keyOf(pair)
    if (key === undefined) continue
    const keyPath = [...path, key]
    if (seen.has(key)) report(visit, keyPath, 'is given twice', true)
    // Objects of the language treat this name apart.
    if (key === '__proto__') report(visit, keyPath, 'is not a usable name', true)
    if (!isStorable(key)) report(visit, keyPath, 'must be well-formed text without U+0000', true)
    seen.add(key)
  }
}

function checkAlias(target: unknown, name: string, path: Path, visit: Visit): void {
  if (target === undefined) report(visit, path, `alias *${name} stands before its anchor, or has none`)
  if (visit.around.includes(target)) report(visit, path, `alias *${name} contains itself`)
}

function walk(node: unknown, path: Path, visit: Visit): void {
  if (isAlias(node)) checkAlias(node.resolve(visit.document), node.source, path, visit)
  const inside = { ...visit, around: [...visit.around, node] }
  if (isMap(node)) {
    checkKeys(node, path, visit)
    for (const pair of node.items) walk(pair.value, [...path, keyOf(pair) ?? ''], inside)
  }
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) walk(item, [...path, index], inside)
  }
  if (isScalar(node) && typeof node.value === 'string' && !isStorable(node.value)) {
    report(visit, path, 'must be well-formed text without U+0000')
  }
}

/** What YAML lets through and no provision file may have: keys given twice, aliases into themselves, text that can't be stored. */
export function checkStructure(document: Document): Finding[] {
  const findings: Finding[] = []
  walk(document.contents, [], { document, findings, around: [] })
  return findings
}
