import 'server-only'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import type { FormState } from '#components/console/form-state.ts'
import { may } from '#lib/access/permissions.ts'
import { type BrandInput, brandIdSchema } from '#lib/brands/schema.ts'
import { findVisibleBrand, getVisibleBrand } from '#lib/brands/visible-brand.ts'
import { buildDraftCard } from '#lib/protocol/draft-card.ts'
import { compareFields } from '#lib/provisioning/change.ts'
import { checkBrand } from '#lib/provisioning/check-brand.ts'
import { editBrand } from '#lib/provisioning/edit-brand.ts'
import type { Finding } from '#lib/provisioning/fault.ts'
import { StaleEditError } from '#lib/provisioning/stale-edit.ts'
import { type ActionContext, formAction, type Outcome } from '../../form-action.ts'
import { errorsAtFields } from '../../nested-fields.ts'
import { requireViewer } from '../../viewer.ts'
import type { Draft } from './previewed-form.tsx'
import { texts } from './texts.ts'

/** From a form to the new settings of a Brand, which are not checked yet. */
export type BrandChange = (settings: BrandInput, data: FormData) => unknown

const target = z.object({ id: brandIdSchema, version: z.iso.datetime() })

const show = (value: unknown) =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 1)

async function tellConflict(
  id: string,
  { viewer }: ActionContext,
  change: (settings: BrandInput) => unknown,
): Promise<Outcome> {
  const { settings, version } = await getVisibleBrand(viewer, id)
  const conflict = compareFields(settings, change(settings)).map(({ field, before, after }) => ({
    field,
    yours: show(after),
    theirs: show(before),
  }))
  const same = conflict.length === 0
  return { status: same ? 'done' : 'conflict', values: { version: version.toISOString() }, conflict }
}

type BrandActionOptions = {
  /** What is said once it is saved. */
  message?: string
  /** What forbids this change from here, though a provision file could make it. */
  refuse?(settings: BrandInput, changed: BrandInput, data: FormData): Promise<Finding[]>
}

async function findRefusals(
  { id, version }: z.infer<typeof target>,
  { viewer }: ActionContext,
  look: (settings: BrandInput) => Promise<Finding[]> | undefined,
): Promise<Finding[]> {
  const stored = await getVisibleBrand(viewer, id)
  // Of another version the save itself tells.
  return stored.version.toISOString() === version ? ((await look(stored.settings)) ?? []) : []
}

/** A server action that changes a part of a Brand, of which the form names id and version. */
export function brandAction(change: BrandChange, { message = texts.saved, refuse }: BrandActionOptions = {}) {
  return formAction({
    permission: 'brands.write',
    brandOf: (data) => String(data.get('id') ?? ''),
    shape: (data) => ({ id: data.get('id'), version: data.get('version') }),
    schema: target,
    async run({ id, version }, context, data): Promise<Outcome> {
      const changed = (settings: BrandInput) => change(settings, data)
      const refused = await findRefusals({ id, version }, context, (settings) =>
        refuse?.(settings, changed(settings) as BrandInput, data),
      )
      if (refused.length > 0) return { status: 'invalid', errors: errorsAtFields(refused, data) }
      try {
        const saved = await editBrand(context, { id, since: new Date(version) }, changed)
        if (!saved.ok) return { status: 'invalid', errors: errorsAtFields(saved.findings, data) }
        revalidatePath('/admin/brands', 'layout')
        const values = { version: saved.version.toISOString() }
        return { status: 'done', message, values }
      } catch (error) {
        if (error instanceof StaleEditError) return tellConflict(id, context, changed)
        throw error
      }
    },
  })
}

function errorsOf(settings: unknown, data: FormData): FormState['errors'] {
  const checked = checkBrand(settings)
  return checked.ok ? {} : errorsAtFields(checked.findings, data)
}

const noDraft: Draft = { errors: {}, card: undefined }

/** Looks at a form that changes a Brand while somebody types. Nothing is stored. */
export async function draftBrand(data: FormData, change: BrandChange): Promise<Draft> {
  const viewer = await requireViewer()
  // Whoever calls an action by hand can send anything.
  if (!(data instanceof FormData)) return noDraft
  const id = String(data.get('id') ?? '')
  const brand = may(viewer, 'brands.write', id) ? await findVisibleBrand(viewer, id) : undefined
  if (!brand) return noDraft
  const changed = change(brand.settings, data) as BrandInput
  return { errors: errorsOf(changed, data), card: await buildDraftCard(changed) }
}

/** What is wrong with a form that changes a Brand, while somebody types. Nothing is stored. */
export async function checkBrandForm(data: FormData, change: BrandChange): Promise<FormState['errors']> {
  return (await draftBrand(data, change)).errors
}

/** Looks at the form of a new Brand while somebody types. */
export async function draftNewBrand(
  data: FormData,
  readSettings: (data: FormData) => BrandInput,
): Promise<Draft> {
  const viewer = await requireViewer()
  if (!may(viewer, 'brands.create') || !(data instanceof FormData)) return noDraft
  const settings = readSettings(data)
  if (!brandIdSchema.safeParse(settings.id).success) return noDraft
  return { errors: errorsOf(settings, data), card: await buildDraftCard(settings) }
}
