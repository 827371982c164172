'use server'

import { withLimits } from '../../brand-fields.ts'
import { brandAction, checkBrandForm } from '../../save-brand.ts'

/** Saves times and who sees texts masked. */
export const saveLimits = brandAction(withLimits)

export async function checkLimits(data: FormData) {
  return checkBrandForm(data, withLimits)
}
