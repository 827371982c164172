import { cardUrl } from '#lib/brands/addresses.ts'
import { listBrands } from '#lib/brands/registry.ts'
import { isLocal } from '#lib/platform/config.ts'

export const dynamic = 'force-dynamic'

/**
 * The Brands and where their cards are, for a trial on one's own machine. A Provider in the open lists its tenants to
 * nobody: there the answer is 404, and a personal agent gets a card's URL from the Brand (§2.1).
 */
export async function GET(): Promise<Response> {
  if (!isLocal()) return new Response(null, { status: 404 })
  const brands = (await listBrands()).map((brand) => ({ ...brand, cardUrl: cardUrl(brand.id) }))
  return Response.json({ brands }, { headers: { 'Cache-Control': 'no-store' } })
}
