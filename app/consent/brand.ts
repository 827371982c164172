import { findBrand } from '#lib/brands/registry.ts'
import { answerProblem } from './answer.ts'
import type { OfferingBrand } from './steps.tsx'

export type BrandRoute = { params: Promise<{ brandId: string }> }

/** The Brand of a page's address, or the page that says that there is nothing. */
export async function findOfferingBrand({ params }: BrandRoute): Promise<OfferingBrand | Response> {
  const brand = await findBrand((await params).brandId)
  return brand?.delegation
    ? { ...brand, delegation: brand.delegation }
    : answerProblem('no-brand', { brand: undefined })
}
