import 'server-only'
import { z } from 'zod'
import { textOf, typedValues } from '#components/console/form-state.ts'
import type { Actor } from '#lib/access/audit.ts'
import { ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { type AgentDetail, findAgentDetail } from '#lib/identity/agent-detail.ts'
import { setPersonalAgentEnabled } from '#lib/identity/registry-edits.ts'
import type { PersonalAgentSettings } from '#lib/identity/schema.ts'
import { makeVisible } from '#lib/platform/text.ts'
import {
  editPersonalAgent as edit,
  registerPersonalAgent as register,
} from '#lib/provisioning/edit-personal-agent.ts'
import { StaleEditError } from '#lib/provisioning/stale-edit.ts'
import type { ActionContext, Outcome } from '../../form-action.ts'
import { limitFields } from './read-form.ts'
import { texts } from './texts.ts'

/** Registers a personal agent. @returns its id; or what is wrong, as when its issuer is known already */
export async function registerPersonalAgent(
  viewer: Viewer,
  actor: Actor,
  settings: PersonalAgentSettings,
): Promise<{ id: string } | Outcome> {
  const registration = await register({ viewer, actor }, settings)
  if (registration.ok) return { id: registration.id }
  const { name, origin } = registration.known
  const text = origin === 'registered' ? texts.registered : texts.foundBefore
  return { status: 'invalid', errors: { issuer: [text(makeVisible(name))] } }
}

/** A personal agent's editable values as the fields of its form hold them. */
function fieldsOf({ name, jwksUri, limits }: Pick<AgentDetail, 'name' | 'jwksUri' | 'limits'>) {
  const fields: Record<string, string> = { name, jwksUri }
  for (const which of ['perPersonalAgent', 'perUser'] as const) {
    for (const part of ['requests', 'perSeconds'] as const) {
      fields[limitFields[which][part]] = String(limits?.[which]?.[part] ?? '')
    }
  }
  return fields
}

function conflictWith(stored: AgentDetail, data: FormData): Outcome {
  const typed = typedValues(data)
  const conflict = Object.entries(fieldsOf(stored)).flatMap(([field, theirs]) => {
    const yours = textOf(typed[field])?.trim() ?? ''
    return yours === theirs ? [] : [{ field, yours, theirs }]
  })
  return { status: 'conflict', conflict, values: { version: stored.updatedAt.toISOString() } }
}

const idOf = (data: FormData) => String(data.get('id') ?? '')

/** Saves an edited personal agent. Its issuer is the stored one, whatever the form says. */
export async function editPersonalAgent(
  viewer: Viewer,
  actor: Actor,
  settings: PersonalAgentSettings,
  data: FormData,
): Promise<Outcome> {
  const id = idOf(data)
  const since = new Date(String(data.get('version')))
  try {
    const { updatedAt } = await edit({ viewer, actor }, { id, since }, settings)
    return { status: 'done', message: texts.saved, values: { version: updatedAt.toISOString() } }
  } catch (error) {
    if (error instanceof ForbiddenError) return gone
    if (!(error instanceof StaleEditError)) throw error
    const newer = await findAgentDetail(viewer, id)
    return newer ? conflictWith(newer, data) : gone
  }
}

const gone: Outcome = { status: 'failed', message: texts.detail.gone }

export const switchAgent = {
  schema: z.object({ id: z.uuid(), enabled: z.enum(['true', 'false']) }),
  async run({ id, enabled }: { id: string; enabled: 'true' | 'false' }, { actor }: ActionContext) {
    const switched = await setPersonalAgentEnabled(id, enabled === 'true', actor)
    if (switched.kind === 'unknown') return gone
    const { name, enabled: isEnabled } = switched.personalAgent
    const { enabledNow, disabledNow } = texts.detail
    const message = (isEnabled ? enabledNow : disabledNow)(makeVisible(name))
    return { status: 'done', message } satisfies Outcome
  },
}

export const promoteAgent = {
  schema: z.object({ id: z.uuid() }),
  async run({ id }: { id: string }, { viewer, actor }: ActionContext): Promise<Outcome> {
    const stored = await findAgentDetail(viewer, id)
    if (!stored) return gone
    const { name, jwksUri, limits, updatedAt } = stored
    try {
      const settings = { name, jwksUri, ...(limits ? { limits } : {}) }
      await edit({ viewer, actor }, { id, since: updatedAt }, settings)
    } catch (error) {
      if (!(error instanceof StaleEditError)) throw error
      return { status: 'failed', message: texts.detail.changedMeanwhile }
    }
    return { status: 'done', message: texts.detail.madeRegistered }
  },
}
