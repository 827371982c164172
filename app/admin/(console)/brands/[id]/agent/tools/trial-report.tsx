import { MADE_UP_USER, type TriedTool } from '#lib/agents/tools/try-tool.ts'
import { texts } from '../texts.ts'
import { Value } from '../turn-report.tsx'

const { try: text } = texts.tools

/** In one sentence, what a trial of a tool came to. */
export function summarizeTrial(tried: TriedTool): string {
  if (!tried.request) return text.refused(tried.fault)
  if (!tried.answer) return text.shown
  const { called, time } = tried.answer
  return called.ok ? text.answered(called.status, Math.round(time)) : text.unanswered(called.reason)
}

/** The request that a tool sends or would send, and what answered it. */
export function TrialReport({ tried }: { tried: TriedTool }) {
  if (!tried.request) return null
  const { method, url, headers, body } = tried.request
  const called = tried.answer?.called
  return (
    <div className="space-y-2 text-sm">
      {tried.madeUpUser ? <p className="text-faint">{text.madeUpUser(MADE_UP_USER)}</p> : null}
      <Value label={texts.tryIt.request} value={`${method} ${url}`} />
      <Value label={text.headers} value={headers} />
      <Value label={text.body} value={body} />
      {called?.ok ? <Value label={text.answer} value={called.value} /> : null}
    </div>
  )
}
