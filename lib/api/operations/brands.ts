import { z } from 'zod'
import { archiveBrand, restoreBrand } from '#lib/brands/archive-brand.ts'
import { countBrandUse } from '#lib/brands/brand-use.ts'
import { listBrandPage } from '#lib/brands/list-brands.ts'
import { brandListSchema } from '#lib/brands/list-schema.ts'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { getVisibleBrand } from '#lib/brands/visible-brand.ts'
import { changed, brandParams as params, time } from '../answer-parts.ts'
import { rowPage, rowPageReply, strictFilter } from '../list-query.ts'
import { named, pageOf } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'
import { brandCheckOperations } from './brand-checks.ts'
import { brandSettingsOperations } from './brand-settings.ts'

const listed = named(
  'ListedBrand',
  z.object({
    id: z.string(),
    name: z.string(),
    domain: z.string().nullable(),
    enabled: z.boolean(),
    archivedAt: time.nullable(),
    createdAt: time,
    delegates: z.boolean(),
    skills: z.number(),
    scopes: z.number(),
  }),
)

const { before: _before, after: _after, ...filter } = strictFilter(brandListSchema).shape
const of = { tag: 'Brands', at: 'brand', params } as const

const use = named(
  'BrandUse',
  z.object({
    liveGrants: z.number(),
    openConversations: z.number(),
    keys: z.number(),
    grantsByScope: z.record(z.string(), z.number()),
  }),
)

function stateOperations(): Operation[] {
  return [
    operation({
      ...of,
      id: 'archiveBrand',
      method: 'POST',
      path: '/brands/{brandId}/archive',
      summary: 'Puts a Brand away',
      description:
        'Its agent is found no more, its domain is free, its live grants end and its open conversations close. What is past stays.',
      permission: 'brands.archive',
      answer: named(
        'ArchivedBrand',
        z.object({ changed: z.boolean(), grants: z.number(), conversations: z.number() }),
      ),
      async run({ params: { brandId }, caller }) {
        await getVisibleBrand(caller.viewer, brandId)
        const ended = await archiveBrand(caller, brandId)
        const { grants, conversations } = ended ?? { grants: 0, conversations: 0 }
        return { body: { changed: ended !== undefined, grants, conversations } }
      },
    }),
    operation({
      ...of,
      id: 'restoreBrand',
      method: 'POST',
      path: '/brands/{brandId}/restore',
      summary: 'Brings back a Brand that was put away',
      description: 'It stays disabled until somebody enables it; what had ended stays ended.',
      permission: 'brands.archive',
      answer: changed,
      async run({ params: { brandId }, caller }) {
        await getVisibleBrand(caller.viewer, brandId)
        return { body: { changed: await restoreBrand(caller, brandId) } }
      },
    }),
    operation({
      ...of,
      id: 'getBrandUse',
      method: 'GET',
      path: '/brands/{brandId}/use',
      summary: 'What hangs on a Brand',
      description: 'Counts end at 10,001.',
      permission: 'brands.read',
      answer: use,
      async run({ params: { brandId }, caller }) {
        const { grantsByScope, ...counts } = await countBrandUse(caller.viewer, brandId)
        return { body: { ...counts, grantsByScope: Object.fromEntries(grantsByScope) } }
      },
    }),
  ]
}

export function brandOperations(): Operation[] {
  return [
    operation({
      id: 'listBrands',
      method: 'GET',
      path: '/brands',
      tag: 'Brands',
      summary: 'Brands',
      permission: 'brands.read',
      at: 'anywhere',
      query: z.object({ ...filter, ...rowPage(brandIdSchema) }),
      answer: named('BrandPage', pageOf(listed)),
      async run({ query: { cursor, ...query }, caller }) {
        const page = await listBrandPage(caller.viewer, { ...query, before: undefined, after: cursor })
        return rowPageReply(page.rows, page.after)
      },
    }),
    ...brandSettingsOperations(),
    ...stateOperations(),
    ...brandCheckOperations(),
  ]
}
