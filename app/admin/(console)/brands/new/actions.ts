'use server'

import { redirect } from 'next/navigation'
import { z } from 'zod'
import { type BrandInput, brandIdSchema } from '#lib/brands/schema.ts'
import { createBrand } from '#lib/provisioning/edit-brand.ts'
import { formAction } from '../../../form-action.ts'
import { errorsAtFields } from '../../../nested-fields.ts'
import { readCardFields, withDomain } from '../brand-fields.ts'
import type { Draft } from '../previewed-form.tsx'
import { draftNewBrand } from '../save-brand.ts'

function readNewBrand(data: FormData): BrandInput {
  const settings = {
    id: String(data.get('id') ?? ''),
    ...readCardFields(data),
    agent: { driver: 'scripted' as const, rules: [], fallback: String(data.get('agent.fallback') ?? '') },
  }
  return withDomain(settings, data) as BrandInput
}

/** Makes a Brand with a simple agent, and leads to its page. */
export const createNewBrand = formAction({
  permission: 'brands.create',
  shape: (data) => ({ id: data.get('id') }),
  schema: z.object({ id: brandIdSchema }),
  async run({ id }, { viewer, actor }, data) {
    const created = await createBrand(viewer, actor, readNewBrand(data))
    if (!created.ok) return { status: 'invalid', errors: errorsAtFields(created.findings, data) }
    redirect(`/admin/brands/${id}`)
  },
})

export async function draftNew(data: FormData): Promise<Draft> {
  return draftNewBrand(data, readNewBrand)
}
