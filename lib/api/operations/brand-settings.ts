import { z } from 'zod'
import type { Viewer } from '#lib/access/permissions.ts'
import { cardUrl } from '#lib/brands/addresses.ts'
import { type BrandInput, brandSchema } from '#lib/brands/schema.ts'
import { getVisibleBrand } from '#lib/brands/visible-brand.ts'
import { config } from '#lib/platform/config.ts'
import { buildDraftCard } from '#lib/protocol/draft-card.ts'
import { type BrandSaved, createBrand, editBrand } from '#lib/provisioning/edit-brand.ts'
import { brandParams as params, time } from '../answer-parts.ts'
import { named } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'
import { ApiProblem, errorsOf } from '../problem.ts'

const of = { tag: 'Brands', at: 'brand', params } as const

const card = named('AgentCard', z.record(z.string(), z.unknown()))

async function read(viewer: Viewer, brandId: string) {
  const { version, ...brand } = await getVisibleBrand(viewer, brandId)
  return { body: { ...brand, cardUrl: cardUrl(brandId), updatedAt: version }, version }
}

function assertSaved(saved: BrandSaved): void {
  if (!saved.ok) throw new ApiProblem('invalid-content', { errors: errorsOf(saved.findings) })
}

/** A Brand with the smallest agent. */
const example: BrandInput = {
  id: '01KAA0B5V7S8Q0ZJ1M9T3X4WCR',
  name: 'Loom & Thread',
  description: 'Orders and deliveries.',
  agent: { driver: 'scripted', rules: [], fallback: 'A person will answer you soon.' },
}

/** A Brand's settings, and the card that they make. */
export function brandSettingsOperations(): Operation[] {
  const settings = named('BrandSettings', brandSchema({ allowLoopback: config().allowLoopback }))
  const brand = named(
    'Brand',
    z.object({
      id: z.string(),
      enabled: z.boolean(),
      createdAt: time,
      updatedAt: time,
      archivedAt: time.nullable(),
      cardUrl: z.string(),
      // Not parsed: what was allowed when it was stored need not be allowed now.
      settings: z.custom<BrandInput>().meta({ of: settings }),
    }),
  )
  return [
    operation({
      id: 'createBrand',
      method: 'POST',
      path: '/brands',
      tag: 'Brands',
      summary: 'Makes a Brand',
      description:
        'The same settings sent again find it made. Its agent must pass the checks that come along, which takes as long as they do.',
      permission: 'brands.create',
      at: 'provider',
      body: settings,
      example,
      answer: brand,
      status: 201,
      async run({ body, caller }) {
        assertSaved(await createBrand(caller.viewer, caller.actor, body))
        return { ...(await read(caller.viewer, body.id)), location: `/brands/${body.id}` }
      },
    }),
    operation({
      ...of,
      id: 'getBrand',
      method: 'GET',
      path: '/brands/{brandId}',
      summary: 'A Brand',
      permission: 'brands.read',
      answer: brand,
      run: ({ params: { brandId }, caller }) => read(caller.viewer, brandId),
    }),
    operation({
      ...of,
      id: 'replaceBrand',
      method: 'PUT',
      path: '/brands/{brandId}',
      summary: 'Replaces a Brand’s settings',
      description:
        'Its skills, scopes and tools become exactly those that are sent. A scope that is left out is taken from every grant that has it. An agent that is changed must pass the checks that the Brand has until then.',
      permission: 'brands.write',
      body: settings,
      example,
      answer: brand,
      ifMatch: true,
      async run({ params: { brandId: id }, body, version, caller }) {
        if (body.id !== id)
          throw new ApiProblem('invalid-content', { errors: [{ path: 'id', reason: 'is not the path’s' }] })
        assertSaved(await editBrand(caller, { id, since: new Date(version) }, () => body))
        return read(caller.viewer, id)
      },
    }),
    operation({
      ...of,
      id: 'previewCard',
      method: 'POST',
      path: '/brands/{brandId}/card-preview',
      summary: 'The Agent Card that settings would make',
      description: 'Nothing is stored. Without signatures.',
      permission: 'brands.write',
      body: settings,
      answer: card,
      harmless: true,
      run: async ({ params: { brandId }, body }) => ({
        body: await buildDraftCard({ ...body, id: brandId }),
      }),
    }),
    operation({
      ...of,
      id: 'getCard',
      method: 'GET',
      path: '/brands/{brandId}/card',
      summary: 'A Brand’s Agent Card, without signatures',
      permission: 'brands.read',
      answer: card,
      async run({ params: { brandId }, caller }) {
        const { settings } = await getVisibleBrand(caller.viewer, brandId)
        return { body: await buildDraftCard(settings) }
      },
    }),
  ]
}
