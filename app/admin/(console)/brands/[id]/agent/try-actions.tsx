'use server'

import { type FormState, withoutTyped } from '#components/console/form-state.ts'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { triedTurnSchema, tryAgent } from '#lib/provisioning/try-agent.ts'
import { formAction, type Outcome } from '../../../../form-action.ts'
import { errorsAtFields } from '../../../../nested-fields.ts'
import { AgentForm, readText } from './agent-form.ts'
import { noteTurn } from './checks/note-turn.ts'
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
          // After its end comes another conversation, as for a User.
          past: turn.close ? '' : JSON.stringify({ turns: next, state: turn.state }),
          noted: turn.reply === undefined ? '' : JSON.stringify(noteTurn(tried, turn)),
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
