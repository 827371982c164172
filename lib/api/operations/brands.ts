import { z } from 'zod'
import type { Viewer } from '#lib/access/permissions.ts'
import { cardUrl } from '#lib/brands/addresses.ts'
import { archiveBrand, restoreBrand } from '#lib/brands/archive-brand.ts'
import { countBrandUse } from '#lib/brands/brand-use.ts'
import { checkDomain } from '#lib/brands/check-domain.ts'
import { listBrandPage } from '#lib/brands/list-brands.ts'
import { brandListSchema } from '#lib/brands/list-schema.ts'
import { type BrandInput, brandIdSchema, brandSchema } from '#lib/brands/schema.ts'
import { getVisibleBrand } from '#lib/brands/visible-brand.ts'
import { inspectJwks } from '#lib/identity/inspect-jwks.ts'
import { config } from '#lib/platform/config.ts'
import { buildDraftCard } from '#lib/protocol/draft-card.ts'
import { type BrandSaved, createBrand, editBrand } from '#lib/provisioning/edit-brand.ts'
import { anyJson, changed, brandParams as params, time } from '../common-schemas.ts'
import { jwksReport } from '../jwks-report.ts'
import { rowPage, rowPageReply, strictFilter } from '../list-query.ts'
import { named, pageOf } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'
import { ApiProblem, errorsOf } from '../problem.ts'

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
const card = named('AgentCard', z.record(z.string(), z.unknown()))
const of = { tag: 'Brands', at: 'brand', params } as const

async function read(viewer: Viewer, brandId: string) {
  const { version, ...brand } = await getVisibleBrand(viewer, brandId)
  return { body: { ...brand, cardUrl: cardUrl(brandId), updatedAt: version }, version }
}

function assertSaved(saved: BrandSaved): void {
  if (!saved.ok) throw new ApiProblem('invalid-content', { errors: errorsOf(saved.findings) })
}

const notSet = (path: string) =>
  new ApiProblem('invalid-content', { errors: [{ path, reason: 'is not set: there is nothing to ask' }] })

/** A Brand with the smallest agent. */
const example: BrandInput = {
  id: '01KAA0B5V7S8Q0ZJ1M9T3X4WCR',
  name: 'Loom & Thread',
  description: 'Orders and deliveries.',
  agent: { driver: 'scripted', rules: [], fallback: 'A person will answer you soon.' },
}

function settingsOperations(): Operation[] {
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
      description: 'The same settings sent again find it made.',
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
        'Its skills, scopes and tools become exactly those that are sent. A scope that is left out is taken from every grant that has it.',
      permission: 'brands.write',
      body: settings,
      example,
      answer: brand,
      ifMatch: true,
      async run({ params: { brandId: id }, body, since, caller }) {
        if (body.id !== id)
          throw new ApiProblem('invalid-content', { errors: [{ path: 'id', reason: 'is not the path’s' }] })
        assertSaved(await editBrand(caller, { id, since }, () => body))
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
  ]
}

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

function checkOperations(): Operation[] {
  return [
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
    operation({
      ...of,
      id: 'checkBrandDomain',
      method: 'POST',
      path: '/brands/{brandId}/check-domain',
      summary: 'Asks a Brand’s own domain whether it leads to its card (§2.1)',
      permission: 'brands.write',
      answer: named('DomainCheck', z.object({ url: z.string(), wanted: z.string(), found: anyJson })),
      harmless: true,
      async run({ params: { brandId }, caller }) {
        const { domain } = (await getVisibleBrand(caller.viewer, brandId)).settings
        if (domain === undefined) throw notSet('domain')
        return { body: await checkDomain(brandId, domain) }
      },
    }),
    operation({
      ...of,
      id: 'checkLoginKeys',
      method: 'POST',
      path: '/brands/{brandId}/check-login',
      summary: 'Fetches the JWKS of a Brand’s login now',
      permission: 'brands.write',
      answer: jwksReport,
      harmless: true,
      async run({ params: { brandId }, caller }) {
        const { delegation } = (await getVisibleBrand(caller.viewer, brandId)).settings
        if (!delegation) throw notSet('delegation')
        return { body: await inspectJwks(delegation.login.jwksUri) }
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
    ...settingsOperations(),
    ...stateOperations(),
    ...checkOperations(),
  ]
}
