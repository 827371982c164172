import { ActionForm } from '#components/console/action-form.tsx'
import { HiddenField, SelectField, TextAreaField, TextField } from '#components/console/form-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Alert } from '#components/ui/alert.tsx'
import { Card } from '#components/ui/card.tsx'
import { findUnsetVariables } from '#lib/agents/unset-variables.ts'
import type { AgentDraft } from '#lib/provisioning/agent-drafts.ts'
import { saveBot, saveModel, saveRules } from './actions.ts'
import type { AgentInput } from './agent-form.ts'
import { toRuleRow, toRuleTools } from './rule-row-values.ts'
import { RuleRows } from './rule-rows.tsx'
import { texts } from './texts.ts'

type Props<Driver> = {
  draft: AgentDraft
  /** Left out: the form of a driver that the agent does not have yet. */
  agent: Extract<AgentInput, { driver: Driver }> | undefined
  writes: boolean
}

function Target({ draft }: { draft: AgentDraft }) {
  return (
    <>
      <HiddenField name="id" value={draft.brand.id} />
      <HiddenField name="version" value={String(draft.number)} />
    </>
  )
}

const numberOf = (value: number | undefined) => (value === undefined ? '' : String(value))

function Unset({ agent }: { agent: Extract<AgentInput, { driver: 'scripted' }> | undefined }) {
  const { scripted: text } = texts
  const found = agent ? findUnsetVariables({ ...agent, rules: agent.rules ?? [] }) : []
  if (found.length === 0) return null
  return (
    <Alert kind="warning" className="mb-4" title={text.unset}>
      <ul className="space-y-1">
        {found.map(({ rule, variables }) => (
          <li key={rule ?? 0}>
            {text.unsetAt(rule)}: <code className="break-words">{variables.join(', ')}</code>
          </li>
        ))}
      </ul>
      <p className="mt-2">{text.unsetHint}</p>
    </Alert>
  )
}

/** The form of an agent that answers by rules. */
export function RulesForm({ draft, agent, writes }: Props<'scripted'>) {
  const { scripted: text } = texts
  return (
    <ActionForm action={saveRules} reloadTheirs>
      <Target draft={draft} />
      <Card title={text.general}>
        <div className="space-y-5">
          <TextAreaField
            name="fallback"
            label={text.fallback}
            hint={text.fallbackHint}
            defaultValue={agent?.fallback ?? ''}
            readOnly={!writes}
          />
          <TextField
            name="timeLimitSeconds"
            label={text.timeLimit}
            defaultValue={numberOf(agent?.timeLimitSeconds)}
            inputMode="decimal"
            optional
            readOnly={!writes}
          />
        </div>
      </Card>
      <Card title={text.rules} description={text.rulesHint}>
        <Unset agent={agent} />
        <RuleRows
          rules={(agent?.rules ?? []).map(toRuleRow)}
          tools={toRuleTools(draft.agent)}
          disabled={!writes}
        />
      </Card>
      {writes ? <SubmitButton>{texts.save}</SubmitButton> : null}
    </ActionForm>
  )
}

const limits = ['temperature', 'maxSteps', 'maxOutputTokens', 'contextTokens', 'maxTurnTokens'] as const

/** The form of an agent that a model answers for. */
export function ModelForm({ draft, agent, writes }: Props<'llm'>) {
  const { llm: text, scripted } = texts
  const rest = { readOnly: !writes }
  return (
    <ActionForm action={saveModel} reloadTheirs>
      <Target draft={draft} />
      <Card title={text.model} description={text.key}>
        <div className="space-y-5">
          <TextField
            {...rest}
            name="endpoint"
            label={text.endpoint}
            hint={text.endpointHint}
            defaultValue={agent?.endpoint ?? ''}
          />
          <TextField {...rest} name="model" label={text.name} defaultValue={agent?.model ?? ''} />
          <TextAreaField
            {...rest}
            name="instructions"
            label={text.instructions}
            hint={text.instructionsHint}
            defaultValue={agent?.instructions ?? ''}
            rows={8}
          />
        </div>
      </Card>
      <Card title={scripted.general}>
        <div className="grid gap-5 sm:grid-cols-2">
          {limits.map((name) => (
            <TextField
              {...rest}
              key={name}
              name={name}
              label={text[name]}
              defaultValue={numberOf(agent?.[name])}
              inputMode="decimal"
              optional
            />
          ))}
          <TextField
            {...rest}
            name="timeLimitSeconds"
            label={scripted.timeLimit}
            defaultValue={numberOf(agent?.timeLimitSeconds)}
            inputMode="decimal"
            optional
          />
          <TextAreaField
            {...rest}
            name="missingScopes"
            label={scripted.missingScopes}
            defaultValue={agent?.missingScopes ?? ''}
            optional
          />
          <TextAreaField
            {...rest}
            name="failed"
            label={text.failed}
            defaultValue={agent?.failed ?? ''}
            optional
          />
        </div>
      </Card>
      {writes ? <SubmitButton>{texts.save}</SubmitButton> : null}
    </ActionForm>
  )
}

const histories = (['new', 'full'] as const).map((value) => ({
  value,
  label: texts.webhook.histories[value],
}))

/** The form of an agent that is the Brand's own bot. */
export function BotForm({ draft, agent, writes }: Props<'webhook'>) {
  const { webhook: text, scripted } = texts
  return (
    <ActionForm action={saveBot} reloadTheirs>
      <Target draft={draft} />
      <Card title={text.bot}>
        <div className="space-y-5">
          <TextField name="url" label={text.url} defaultValue={agent?.url ?? ''} readOnly={!writes} />
          <SelectField
            name="history"
            label={text.history}
            options={histories}
            defaultValue={agent?.history ?? 'new'}
            disabled={!writes}
          />
          <TextField
            name="timeLimitSeconds"
            label={scripted.timeLimit}
            defaultValue={numberOf(agent?.timeLimitSeconds)}
            inputMode="decimal"
            optional
            readOnly={!writes}
          />
        </div>
      </Card>
      {writes ? <SubmitButton>{texts.save}</SubmitButton> : null}
    </ActionForm>
  )
}
