'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { providerSchema } from '#lib/identity/schema.ts'
import { editSettings } from '#lib/provisioning/edit-settings.ts'
import { countSettingsReach, findSettings, type ShownSettings } from '#lib/provisioning/settings-page.ts'
import { StaleEditError } from '#lib/provisioning/stale-edit.ts'
import { formAction, type Outcome } from '../../form-action.ts'
import { readSettingsForm, toFields } from './settings-fields.ts'
import { texts } from './texts.ts'

const version = z.iso.datetime().transform((text) => new Date(text))

type Settings = z.infer<typeof providerSchema>

function tellConflict(mine: Settings, { settings, version: newer }: ShownSettings): Outcome {
  const theirs = toFields(settings)
  const { adminsNeedSecondFactor = settings.adminsNeedSecondFactor, retentionDays = settings.retentionDays } =
    mine
  const yours = toFields({ ...mine, adminsNeedSecondFactor, retentionDays })
  const differing = Object.keys(theirs).filter((field) => theirs[field] !== yours[field])
  return {
    status: 'conflict',
    values: { version: newer.toISOString() },
    conflict: differing.map((field) => ({
      field,
      yours: yours[field] ?? '',
      theirs: theirs[field] ?? '',
    })),
  }
}

/** Saves the Provider's settings. Another audience must be typed twice. */
export const saveSettings = formAction({
  permission: 'settings.write',
  shape: readSettingsForm,
  schema: providerSchema,
  async run(settings, context, data): Promise<Outcome> {
    const { viewer } = context
    const shown = await findSettings(viewer)
    const seen = version.safeParse(data.get('version'))
    if (!shown || !seen.success) return { status: 'failed', message: texts.missing.title }
    if (shown.version.getTime() !== seen.data.getTime()) return tellConflict(settings, shown)
    const again = String(data.get('audienceAgain') ?? '').trim()
    if (settings.audience !== shown.settings.audience && again !== settings.audience) {
      const { personalAgents } = await countSettingsReach(viewer)
      return { status: 'invalid', errors: { audienceAgain: [texts.confirmAudience(personalAgents)] } }
    }
    try {
      const saved = await editSettings(context, settings, seen.data)
      revalidatePath('/admin', 'layout')
      return { status: 'done', message: texts.saved, values: { version: saved.toISOString() } }
    } catch (error) {
      const newest = error instanceof StaleEditError ? await findSettings(viewer) : undefined
      if (!newest) throw error
      return tellConflict(settings, newest)
    }
  },
})
