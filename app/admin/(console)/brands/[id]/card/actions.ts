'use server'

import { withCard } from '../../brand-fields.ts'
import type { Draft } from '../../previewed-form.tsx'
import { brandAction, draftBrand } from '../../save-brand.ts'

/** Saves name, description and skills. */
export const saveCard = brandAction(withCard)

export async function draftCard(data: FormData): Promise<Draft> {
  return draftBrand(data, withCard)
}
