'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { archiveBrand, restoreBrand } from '#lib/brands/archive-brand.ts'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { getVisibleBrand } from '#lib/brands/visible-brand.ts'
import { formAction } from '../../../../form-action.ts'
import { showCount } from '../../counted.ts'
import { brandAction } from '../../save-brand.ts'
import { texts } from '../../texts.ts'

const { state } = texts
const brandOf = (data: FormData) => String(data.get('id') ?? '')

export const enableBrand = brandAction((settings) => ({ ...settings, enabled: true }), {
  message: state.enabled,
})
export const disableBrand = brandAction((settings) => ({ ...settings, enabled: false }), {
  message: state.disabled,
})

/** Puts the Brand away, once its name has been typed. */
export const putAway = formAction({
  permission: 'brands.archive',
  brandOf,
  schema: z.object({ id: brandIdSchema, confirmation: z.string() }),
  async run({ id, confirmation }, context) {
    const { settings } = await getVisibleBrand(context.viewer, id)
    if (confirmation !== settings.name) return { status: 'failed', message: state.wrongName }
    const ended = await archiveBrand(context, id)
    revalidatePath('/admin', 'layout')
    if (!ended) return { status: 'failed', message: state.archivedAlready }
    const message = state.archived(showCount(ended.grants), showCount(ended.conversations))
    return { status: 'done', message }
  },
})

export const bringBack = formAction({
  permission: 'brands.archive',
  brandOf,
  schema: z.object({ id: brandIdSchema }),
  async run({ id }, context) {
    await restoreBrand(context, id)
    revalidatePath('/admin', 'layout')
    return { status: 'done', message: state.restored }
  },
})
