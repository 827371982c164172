'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { getKey } from '#lib/keys/key-timeline.ts'
import type { Refusal } from '#lib/keys/lifecycle.ts'
import { compromiseBrandKey, retireBrandKey, rotateBrandKey } from '#lib/keys/manage-keys.ts'
import { KeyRefusalError } from '#lib/keys/rotation.ts'
import { formAction, type Outcome } from '../../form-action.ts'
import { brandAction } from '../brands/save-brand.ts'
import { texts } from './texts.ts'

const brandOf = (data: FormData) => String(data.get('brandId'))
const kid = z.string().regex(/^[\w-]{43}$/)
const timeOf = (milliseconds: number) => `${new Date(milliseconds).toISOString().slice(11, 16)} UTC`

function describeRefusal(refusal: Refusal): string {
  if (refusal.because !== 'needed') return texts.refusals[refusal.because]
  return refusal.until === undefined
    ? texts.refusals.neededForReceipts
    : texts.refusals.neededUntil(timeOf(refusal.until))
}

async function change(work: Promise<unknown>, message: string): Promise<Outcome> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof KeyRefusalError)) throw error
    return { status: 'failed', message: describeRefusal(error.refusal) }
  }
  revalidatePath('/admin/keys', 'layout')
  return { status: 'done', message }
}

const rotate = formAction({
  permission: 'keys.write',
  brandOf,
  schema: z.object({ brandId: brandIdSchema, force: z.literal('1').optional() }),
  async run({ brandId, force }, manager) {
    const { changes, waiting } = await rotateBrandKey(manager, brandId, { force: force !== undefined })
    revalidatePath('/admin/keys', 'layout')
    const { published, waiting: alreadyWaiting, activated, nothing } = texts.rotate
    if (!waiting) return { status: 'done', message: changes.length > 0 ? activated : nothing }
    const message = changes.length > 0 ? published : alreadyWaiting
    return { status: 'done', message: message(timeOf(waiting.signsFrom)) }
  },
})

/** Rotates a Brand's signing key: one step in order, or at once. */
export async function rotateAction(...given: Parameters<typeof rotate>) {
  return rotate(...given)
}

const retire = formAction({
  permission: 'keys.write',
  brandOf,
  schema: z.object({ brandId: brandIdSchema, kid }),
  run: (value, manager) => change(retireBrandKey(manager, value.brandId, value.kid), texts.retire.done),
})

/** Takes one key out of service, as far as no request fails. */
export async function retireAction(...given: Parameters<typeof retire>) {
  return retire(...given)
}

const compromise = formAction({
  permission: 'keys.write',
  brandOf,
  schema: z.object({ brandId: brandIdSchema, kid, confirmation: z.string() }),
  async run(value, manager) {
    const { brand } = await getKey(manager.viewer, value.kid)
    if (value.confirmation !== brand.name) return { status: 'failed', message: texts.compromise.name }
    return change(compromiseBrandKey(manager, value.brandId, value.kid), texts.compromise.done)
  },
})

/** Ends a key that somebody else may have; the Brand's name must have been typed. */
export async function compromiseAction(...given: Parameters<typeof compromise>) {
  return compromise(...given)
}

const schedule = brandAction((settings, data) => {
  const days = String(data.get('keys.rotateEveryDays') ?? '').trim()
  return { ...settings, keys: days === '' ? {} : { rotateEveryDays: Number(days) } }
})

/** Sets how often a Brand's active key is replaced by itself. */
export async function scheduleAction(...given: Parameters<typeof schedule>) {
  return schedule(...given)
}
