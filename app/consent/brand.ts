import { findBrand } from '#lib/brands/registry.ts'
import { log } from '#lib/platform/log.ts'
import { answerProblem } from './answer.ts'
import type { OfferingBrand } from './grants.tsx'

export type BrandRoute = { params: Promise<{ brandId: string }> }

/**
 * Answers a request for one Brand's pages: where there is no such Brand, or something fails, with a page that says so.
 *
 * @param answer what to do for a Brand that offers delegation
 */
export async function serveBrandPage(
  { params }: BrandRoute,
  answer: (brand: OfferingBrand) => Promise<Response>,
): Promise<Response> {
  const { brandId } = await params
  try {
    const brand = await findBrand(brandId)
    if (!brand?.delegation) return await answerProblem('no-brand', { brand: undefined })
    return await answer({ ...brand, delegation: brand.delegation })
  } catch (error) {
    log().error({ brandId, reason: String(error) }, 'a page for a User failed')
    return answerProblem('failure', { brand: undefined })
  }
}
