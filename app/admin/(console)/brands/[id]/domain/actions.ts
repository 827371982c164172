'use server'

import { may } from '#lib/access/permissions.ts'
import { checkDomain, type DomainCheck } from '#lib/brands/check-domain.ts'
import { findVisibleBrand } from '#lib/brands/visible-brand.ts'
import { requireViewer } from '../../../../viewer.ts'
import { withDomain } from '../../brand-fields.ts'
import { brandAction, checkBrandForm } from '../../save-brand.ts'

/** Saves the domain. */
export const saveDomain = brandAction(withDomain)

export async function checkDomainForm(data: FormData) {
  return checkBrandForm(data, withDomain)
}

/** Asks the stored domain now. Undefined: there is none, or the viewer may not ask. */
export async function askDomain(id: string): Promise<DomainCheck | undefined> {
  const viewer = await requireViewer()
  if (typeof id !== 'string' || !may(viewer, 'brands.write', id)) return undefined
  const domain = (await findVisibleBrand(viewer, id))?.settings.domain
  return domain === undefined ? undefined : checkDomain(id, domain)
}
