'use server'

import { type FormState, withoutTyped } from '#components/console/form-state.ts'
import { checkedTurnOf } from '#lib/agents/checks/checked-turn-of.ts'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { triedTurnSchema, tryAgent } from '#lib/provisioning/try-agent.ts'
import { formAction, type Outcome } from '../../../../form-action.ts'
import { errorsAtFields } from '../../../../nested-fields.ts'
import { AgentForm, readText } from './agent-form.ts'
import { toYaml } from './rule-row-values.ts'
import { texts } from './texts.ts'
import { TurnReport } from './turn-report.tsx'

const { tryIt: text } = texts

function readPast(data: FormData): unknown {
  try {
    return JSON.parse(String(data.get('past') || '{"turns":[],"state":{}}'))
  } catch {
    return undefined
  }
}

function readTurn(data: FormData) {
  const form = new AgentForm(data)
  const answers = form.yaml(form.fields, 'answers') ?? {}
  return {
    form,
    turn: {
      id: data.get('id'),
      text: data.get('text'),
      past: readPast(data),
      user:
        data.get('noToken') === 'on'
          ? undefined
          : { id: readText(form.fields, 'user') ?? '', scopes: data.getAll('scopes') },
      answers,
      apiKey: readText(form.fields, 'apiKey'),
    },
  }
}

/** Runs one turn of the draft with a made-up User. Nothing of it is stored; tools call nobody, the Brand's own bot is called. */
export async function sayToDraft(state: FormState, data: FormData): Promise<FormState> {
  const answer = await formAction({
    permission: 'brands.write',
    brandOf: (fields) => String(fields.get('id') ?? ''),
    shape: (fields) => readTurn(fields).turn,
    schema: triedTurnSchema.extend({ id: brandIdSchema }),
    async run({ id, ...tried }, context, fields): Promise<Outcome> {
      const { findings } = readTurn(fields).form
      if (findings.length > 0) return { status: 'invalid', errors: errorsAtFields(findings, fields) }
      const turn = await tryAgent(context, id, tried)
      if (!turn) return { status: 'failed', message: text.failed }
      const { turns } = tried.past
      const said = turn.missingScopes.length === 0 && turn.reply !== undefined
      const next = said ? [...turns, { text: tried.text, reply: turn.reply ?? '' }].slice(-100) : turns
      return {
        status: 'done',
        values: {
          past: JSON.stringify({ turns: next, state: turn.state }),
          checked: turn.reply === undefined ? '' : toYaml([checkedTurnOf(tried.text, turn, tried.user)]),
        },
        result: {
          summary: turn.reply ?? text.failed,
          details: <TurnReport said={tried.text} turn={turn} user={tried.user} />,
        },
      }
    },
  })(state, data)
  // Nobody's page keeps a key.
  return withoutTyped(answer, (name) => name === 'apiKey')
}
