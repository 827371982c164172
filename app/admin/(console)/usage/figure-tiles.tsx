import { StatTile } from '#components/ui/stat-tile.tsx'
import type { Usage } from '#lib/conversations/usage.ts'
import { durationText, percentileText } from '../durations.ts'
import { texts } from './texts.ts'

const { figures, count } = texts

/** What was used in all, at a glance. */
export function FigureTiles({ total }: { total: Usage }) {
  return (
    <div className="mb-4 grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      <StatTile
        label={figures.turns}
        value={count(total.turns)}
        detail={texts.turnDetail(total.failedTurns, total.stepUps)}
      />
      <StatTile
        label={figures.turnTime}
        value={percentileText(total.p50)}
        detail={texts.p95Detail(percentileText(total.p95))}
      />
      <StatTile
        label={figures.modelCalls}
        value={count(total.modelCalls)}
        detail={`${texts.failed(total.failedModelCalls)}, ${durationText(total.modelTime)}`}
      />
      <StatTile
        label={figures.tokens}
        value={count(total.inputTokens + total.outputTokens)}
        detail={texts.tokenDetail(total.inputTokens, total.outputTokens)}
      />
      <StatTile
        label={figures.toolCalls}
        value={count(total.toolCalls)}
        detail={`${texts.failed(total.failedToolCalls)}, ${durationText(total.toolTime)}`}
      />
    </div>
  )
}
