import { Badge } from '#components/ui/badge.tsx'
import type { TraceStep } from '#lib/agents/agent.ts'
import type { RehearsedCall, RehearsedTurn } from '#lib/agents/rehearsal.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { texts } from './texts.ts'

const { tryIt: text } = texts
/** The longest value that is shown in full, in UTF-16 units. */
const MAX_SHOWN = 4_000

/** A value as a person reads it, whoever wrote it. */
export function showValue(value: unknown): string {
  if (value === undefined) return texts.tools.try.nothing
  const shown = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return shown.slice(0, MAX_SHOWN).split('\n').map(makeVisible).join('\n')
}

/** A value that others chose, as inert text. */
export function Value({ label, value }: { label: string; value: unknown }) {
  return (
    <div className="mt-1">
      <span className="text-faint text-xs">{label}</span>
      <pre className="max-h-60 overflow-auto whitespace-pre-wrap break-words rounded-control bg-muted px-2 py-1 font-mono text-xs">
        {showValue(value)}
      </pre>
    </div>
  )
}

/** A whole sentence, unlike what a badge says: it is never cut off. */
function Fault({ text }: { text: string }) {
  return <span className="break-words text-danger text-xs">{makeVisible(text)}</span>
}

type Kind<K extends TraceStep['kind']> = Extract<TraceStep, { kind: K }>

function ModelStep({ step }: { step: Kind<'model'> }) {
  return (
    <>
      <p className="text-faint text-xs">{text.tokens(step.inputTokens, step.outputTokens)}</p>
      {step.text === '' ? null : <Value label={text.answer} value={step.text} />}
      {step.calls.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a model may wish for the same call twice
        <Value key={index} label={text.tool(makeVisible(each.tool))} value={each.arguments} />
      ))}
    </>
  )
}

function ToolStep({ step, call }: { step: Kind<'tool'>; call: RehearsedCall | undefined }) {
  return (
    <>
      <Value label={text.arguments} value={step.arguments} />
      {call ? <Value label={text.request} value={`${call.method} ${call.url}`} /> : null}
      <Value label={text.answer} value={step.answer} />
    </>
  )
}

function titleOf(step: TraceStep): string {
  if (step.kind === 'rule') return step.number === undefined ? text.noRule : text.rule(step.number)
  if (step.kind === 'model') return text.model(makeVisible(step.model))
  return step.kind === 'tool' ? text.tool(makeVisible(step.tool)) : text.model(makeVisible(step.url))
}

function Step({ step, call }: { step: TraceStep; call: RehearsedCall | undefined }) {
  return (
    <li className="py-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="break-all font-medium">{titleOf(step)}</span>
        <span className="text-faint text-xs">{text.time(Math.round(step.time))}</span>
        {step.fault === undefined ? null : <Fault text={step.fault} />}
      </p>
      {step.kind === 'model' ? <ModelStep step={step} /> : null}
      {step.kind === 'tool' ? <ToolStep step={step} call={call} /> : null}
      {step.kind === 'bot' ? (
        <>
          <Value label={text.request} value={step.call} />
          <Value label={text.answer} value={step.answer} />
        </>
      ) : null}
    </li>
  )
}

/** The calls that went out, each for the step that tells of it. */
function matchCalls({ steps, calls }: RehearsedTurn): (RehearsedCall | undefined)[] {
  const left = [...calls]
  return steps.map((step) => {
    const at = step.kind === 'tool' ? left.findIndex(({ tool }) => tool === step.tool) : -1
    return at < 0 ? undefined : left.splice(at, 1)[0]
  })
}

function Steps({ turn }: { turn: RehearsedTurn }) {
  if (turn.steps.length === 0) return null
  const calls = matchCalls(turn)
  return (
    <details className="text-sm">
      <summary className="cursor-pointer font-medium">{`${text.steps} (${turn.steps.length})`}</summary>
      <ol className="divide-y divide-line">
        {turn.steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no name, and never change
          <Step key={index} step={step} call={calls[index]} />
        ))}
      </ol>
    </details>
  )
}

function Receipt({ turn, user }: { turn: RehearsedTurn; user: { id: string } | undefined }) {
  if (!user) return <p className="text-faint text-xs">{text.noReceipt}</p>
  const { actions, scopesUsed } = turn
  return (
    <details className="text-sm">
      <summary className="cursor-pointer font-medium">{text.receipt}</summary>
      <Value label={text.receipt} value={{ sub: user.id, scopesUsed, actions }} />
    </details>
  )
}

type Props = { said: string; turn: RehearsedTurn; user: { id: string } | undefined }

/** What was said to a draft, what it answered, and what it did for that. */
export function TurnReport({ said, turn, user }: Props) {
  const isAnswered = turn.reply !== undefined
  return (
    <div className="space-y-2 text-sm">
      <p className="whitespace-pre-wrap break-words">
        <span className="text-faint">{text.you}:</span> {showValue(said)}
      </p>
      <p className="whitespace-pre-wrap break-words">
        <span className="text-faint">{text.agent}:</span> {isAnswered ? showValue(turn.reply) : text.failed}
      </p>
      <div className="flex flex-wrap gap-2">
        <span className="text-faint text-xs">{text.time(Math.round(turn.time))}</span>
        {turn.missingScopes.length > 0 ? (
          <Badge state="warning">{text.stepUp(turn.missingScopes.join(', '))}</Badge>
        ) : null}
        {turn.close ? <Badge>{text.closed}</Badge> : null}
        {turn.fault === undefined ? null : <Fault text={turn.fault} />}
      </div>
      <Steps turn={turn} />
      {Object.keys(turn.state).length > 0 ? <Value label={text.remembers} value={turn.state} /> : null}
      <Receipt turn={turn} user={user} />
    </div>
  )
}
