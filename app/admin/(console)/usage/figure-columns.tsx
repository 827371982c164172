import type { ReactNode } from 'react'
import type { Column, Sort } from '#components/console/table-column.ts'
import type { Usage } from '#lib/conversations/usage.ts'
import { durationText, percentileText } from '../durations.ts'
import { texts } from './texts.ts'

const { figures, count } = texts

type Figure = keyof typeof figures & keyof Usage

/** A number of calls, and how long they took together. */
function Calls({ calls, time, failed }: { calls: number; time: number; failed?: number }) {
  if (calls === 0) return '0'
  return (
    <>
      {count(calls)}
      <span className="block text-faint text-xs">
        {failed ? `${texts.failed(failed)}, ` : ''}
        {durationText(time)}
      </span>
    </>
  )
}

const shown: readonly [Figure, (usage: Usage) => ReactNode][] = [
  ['turns', ({ turns }) => count(turns)],
  ['failedTurns', ({ failedTurns }) => count(failedTurns)],
  ['stepUps', ({ stepUps }) => count(stepUps)],
  ['p50', ({ p50 }) => percentileText(p50)],
  ['p95', ({ p95 }) => percentileText(p95)],
  [
    'modelCalls',
    ({ modelCalls, failedModelCalls, modelTime }) => (
      <Calls calls={modelCalls} time={modelTime} failed={failedModelCalls} />
    ),
  ],
  ['inputTokens', ({ inputTokens }) => count(inputTokens)],
  ['outputTokens', ({ outputTokens }) => count(outputTokens)],
  ['toolCalls', ({ toolCalls, toolTime }) => <Calls calls={toolCalls} time={toolTime} />],
  ['failedToolCalls', ({ failedToolCalls }) => count(failedToolCalls)],
]

/** The columns of what was used, in their order. @param sortOf where the list stands in a column's order; undefined: nowhere */
export function figureColumns<Row extends Usage>(
  sortOf: (id: string) => Sort | undefined = () => undefined,
): Column<Row>[] {
  return shown.map(([id, show]) => {
    const sort = sortOf(id)
    return { id, header: figures[id], align: 'end', nowrap: true, cell: show, ...(sort ? { sort } : {}) }
  })
}
