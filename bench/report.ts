import type { Verdict } from './goals.ts'
import { type Part, partOf, parts } from './kinds.ts'
import type { Row } from './summary.ts'

const MIB = 2 ** 20

/** A table in Markdown, its columns aligned; the first column to the left. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(2, ...[title, ...rows.map((row) => row[column] ?? '')].map((cell) => cell.length)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(header), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n')
}

function ratio(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(2)
}

const kindNames = {
  new: 'new',
  continued: 'continued',
  mixed: 'mixed',
  delegated: 'delegated message',
  authorize: 'device authorization',
  poll: 'polling',
  issue: 'token issue',
  refresh: 'refresh',
}
const titles: Record<Part, string> = {
  identity: 'PACT Identity: `message:send`',
  delegation: 'PACT Delegated',
}
const doors = { floor: 'floor', lane: 'lane', next: "Next's door" }

type PeakOf = (row: Row) => number
type Column = [title: string, cell: (row: Row) => string]

/** @param peakOf a target's most resident memory, in bytes */
function columnsFor(rows: readonly Row[], peakOf: PeakOf): Column[] {
  const grown = rows.some(({ stored }) => stored > 0)
  return [
    ['through', ({ target }) => doors[target]],
    ['what', ({ kind }) => kindNames[kind]],
    ...(grown ? ([['stored', ({ stored }) => String(stored)]] satisfies Column[]) : []),
    ['requests/s', ({ rate }) => String(Math.round(rate))],
    ['p50 ms', ({ p50 }) => p50.toFixed(1)],
    ['p99 ms', ({ p99 }) => p99.toFixed(1)],
    ['CPU µs', ({ cpu }) => String(Math.round(cpu))],
    ['peak MiB', (row) => String(Math.round(peakOf(row) / MIB))],
    ['of floor', ({ ofFloor }) => ratio(ofFloor)],
    ...(grown ? ([['of empty', ({ ofEmpty }) => ratio(ofEmpty)]] satisfies Column[]) : []),
  ]
}

function formatRows(rows: readonly Row[], peakOf: PeakOf): string {
  const columns = columnsFor(rows, peakOf)
  return formatTable(
    columns.map(([title]) => title),
    rows.map((row) => columns.map(([, cell]) => cell(row))),
  )
}

/** What was polled decides what a poll costs. */
function describePolls(rows: readonly Row[]): string[] {
  const polls = rows.filter(({ kind }) => kind === 'poll')
  if (polls.length === 0) return []
  const parts = polls.map(({ target, slowed }) => `${doors[target]} ${(slowed * 100).toFixed(1)} %`)
  return ['', `Polls that got \`slow_down\`, the others \`authorization_pending\`: ${parts.join(', ')}.`]
}

/** A table for each part that was measured, below its title. @param peakOf a target's most resident memory, in bytes */
export function formatParts(rows: readonly Row[], peakOf: PeakOf): string[] {
  return parts.flatMap((part) => {
    const own = rows.filter(({ kind }) => partOf(kind) === part)
    return own.length > 0 ? ['', titles[part], '', formatRows(own, peakOf), ...describePolls(own)] : []
  })
}

/** @param samples messages sent so far, and resident bytes then */
export function formatMemory(samples: readonly { messages: number; rss: number; rate: number }[]): string {
  return formatTable(
    ['messages sent', 'resident MiB', 'requests/s'],
    samples.map(({ messages, rss, rate }) => [
      String(messages),
      String(Math.round(rss / MIB)),
      String(Math.round(rate)),
    ]),
  )
}

/** What was to be reached; empty when nothing of it was measured. */
export function formatVerdicts(verdicts: readonly Verdict[]): string {
  if (verdicts.length === 0) return ''
  return formatTable(
    ['goal', 'reached', ''],
    verdicts.map(({ goal, reached, pass }) => [goal, reached, pass ? 'pass' : 'miss']),
  )
}
