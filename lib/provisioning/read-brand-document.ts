import { z } from 'zod'
import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { takeTrial } from '#lib/access/trial-limit.ts'
import { fetchOpenApi } from '#lib/agents/openapi/fetch-openapi.ts'
import { MAX_DOCUMENT_BYTES, type ReadOpenApi, readOpenApi } from '#lib/agents/openapi/read-openapi.ts'
import { getVisibleBrand } from '#lib/brands/visible-brand.ts'
import { config } from '#lib/platform/config.ts'

const address = z.string().trim().min(1).max(2_048).optional()

/** Which OpenAPI document is read: one that is given, or the one at an address. */
export const brandDocumentSchema = z
  .strictObject({
    /** JSON or YAML. */
    document: z.string().min(1).max(MAX_DOCUMENT_BYTES).optional(),
    /** Where it is, or where a given one was found. */
    url: address,
    /** Where the API is, whatever the document says. */
    server: address,
  })
  .refine(({ document, url }) => document !== undefined || url !== undefined, {
    message: 'is required, or url',
    path: ['document'],
  })

export type BrandDocument = z.infer<typeof brandDocumentSchema>

/**
 * Reads an OpenAPI document for somebody who edits a Brand's agent: its operations as tools. Nothing is stored.
 *
 * @throws ForbiddenError, TooOftenError
 */
export async function readBrandDocument(
  viewer: Viewer,
  brandId: string,
  { document, url, server }: BrandDocument,
): Promise<ReadOpenApi> {
  assertMay(viewer, 'brands.write', brandId)
  const { settings } = await getVisibleBrand(viewer, brandId)
  await takeTrial(viewer, 'document')
  const reach = { allowLoopback: config().allowLoopback, allowPrivate: settings.privateNetworks ?? false }
  const options = { ...reach, base: url, server }
  if (document !== undefined) return readOpenApi(document, options)
  const fetched = await fetchOpenApi(url ?? '', reach)
  return fetched.ok ? readOpenApi(fetched.text, options) : fetched
}
