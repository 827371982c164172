import 'server-only'
import { cache } from 'react'
import { may } from '#lib/access/permissions.ts'
import { getVisibleBrand } from '#lib/brands/visible-brand.ts'
import { orNotFound, requirePermission } from '../../../viewer.ts'

/** The Brand that a page shows and who looks at it; for whoever may not, the page does not exist. Read once a request. */
export const showBrand = cache(async (id: string) => {
  const viewer = await requirePermission('brands.read', id)
  const brand = await orNotFound(getVisibleBrand(viewer, id))
  const writes = may(viewer, 'brands.write', id)
  return { viewer, brand, writes }
})

export type BrandParams = { params: Promise<{ id: string }> }
