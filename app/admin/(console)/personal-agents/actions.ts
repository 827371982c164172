'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormState } from '#components/console/form-state.ts'
import { personalAgentSchema } from '#lib/identity/schema.ts'
import { config } from '#lib/platform/config.ts'
import { formAction } from '../../form-action.ts'
import { editPersonalAgent, promoteAgent, registerPersonalAgent, switchAgent } from './changes.ts'
import { readAgentForm } from './read-form.ts'

const LIST = '/admin/personal-agents'

function schema() {
  return personalAgentSchema({ allowLoopback: config().allowLoopback })
}

/** Registers a personal agent, and shows its page. */
export async function register(state: FormState, data: FormData): Promise<FormState> {
  return formAction({
    permission: 'personal-agents.write',
    shape: readAgentForm,
    schema: schema(),
    async run(settings, { viewer, actor }) {
      const outcome = await registerPersonalAgent(viewer, actor, settings)
      if ('id' in outcome) redirect(`${LIST}/${outcome.id}`)
      return outcome
    },
  })(state, data)
}

/** Saves an edited personal agent, unless somebody else did so first. */
export async function edit(state: FormState, data: FormData): Promise<FormState> {
  return formAction({
    permission: 'personal-agents.write',
    shape: readAgentForm,
    schema: schema(),
    async run(settings, { viewer, actor }) {
      const outcome = await editPersonalAgent(viewer, actor, settings, data)
      revalidatePath(LIST, 'layout')
      return outcome
    },
  })(state, data)
}

/** Lets a personal agent in or shuts it out. */
export async function setEnabled(state: FormState, data: FormData): Promise<FormState> {
  return formAction({
    permission: 'personal-agents.write',
    schema: switchAgent.schema,
    async run(value, context) {
      const outcome = await switchAgent.run(value, context)
      revalidatePath(LIST, 'layout')
      return outcome
    },
  })(state, data)
}

/** Makes a discovered personal agent a registered one. */
export async function makeRegistered(state: FormState, data: FormData): Promise<FormState> {
  return formAction({
    permission: 'personal-agents.write',
    schema: promoteAgent.schema,
    async run(value, context) {
      const outcome = await promoteAgent.run(value, context)
      revalidatePath(LIST, 'layout')
      return outcome
    },
  })(state, data)
}
