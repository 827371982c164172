import { z } from 'zod'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { keyBrandsSchema } from '#lib/keys/brand-list-schema.ts'
import { getKey, readKeyTimeline } from '#lib/keys/key-timeline.ts'
import { listBrandKeys } from '#lib/keys/list-brand-keys.ts'
import { compromiseBrandKey, retireBrandKey, rotateBrandKey } from '#lib/keys/manage-keys.ts'
import { editBrand } from '#lib/provisioning/edit-brand.ts'
import { brandParams, time } from '../answer-parts.ts'
import { rowPage, rowPageReply, strictFilter } from '../list-query.ts'
import { named, pageOf } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'
import { ApiProblem, errorsOf } from '../problem.ts'

const state = z.enum(['next', 'active', 'retired', 'removed', 'compromised'])
const jwk = named('Jwk', z.looseObject({ kid: z.string(), alg: z.string(), use: z.string() }))
const key = named(
  'SigningKey',
  z.object({
    kid: z.string(),
    state,
    createdAt: time,
    activatedAt: time.nullable(),
    retiredAt: time.nullable(),
    endedAt: time.nullable(),
    jwk,
    /** What hangs on it, up to a bound. */
    use: z.object({ tokens: z.number(), receipts: z.number() }),
  }),
)
const owner = named(
  'KeyOwner',
  z.object({
    id: z.string(),
    name: z.string(),
    published: z.boolean(),
    rotateEveryDays: z.number().nullable(),
    jwksUri: z.string(),
  }),
)
const listed = named(
  'BrandKeys',
  z.object({
    id: z.string(),
    name: z.string(),
    rotateEveryDays: z.number().nullable(),
    activeSince: time.nullable(),
    nextSince: time.nullable(),
    retired: z.number(),
    compromised: z.number(),
  }),
)
const change = z.object({ kid: z.string(), from: state.optional(), to: state })
const changes = named('KeyChanges', z.object({ changes: z.array(change) }))

const { before: _before, after: _after, ...filter } = strictFilter(keyBrandsSchema).shape
const kidParams = brandParams.extend({ kid: z.string().regex(/^[\w-]{43}$/) })
const of = { tag: 'Signing keys', at: 'brand' } as const

function readOperations(): Operation[] {
  return [
    operation({
      id: 'listBrandKeys',
      method: 'GET',
      path: '/keys',
      tag: 'Signing keys',
      summary: 'Brands, and how their signing keys stand',
      permission: 'keys.read',
      at: 'anywhere',
      query: z.object({ ...filter, ...rowPage(brandIdSchema) }),
      answer: named('BrandKeysPage', pageOf(listed)),
      async run({ query: { cursor, ...query }, caller }) {
        const page = await listBrandKeys(caller.viewer, { ...query, after: cursor })
        return rowPageReply(page.rows, page.after)
      },
    }),
    operation({
      ...of,
      id: 'listSigningKeys',
      method: 'GET',
      path: '/brands/{brandId}/keys',
      summary: 'A Brand’s signing keys, the newest first',
      description: 'The `ETag` is the Brand’s, for its schedule.',
      permission: 'keys.read',
      params: brandParams,
      answer: named('KeyTimeline', z.object({ brand: owner, data: z.array(key) })),
      async run({ params: { brandId }, caller }) {
        const { brand, keys } = await readKeyTimeline(caller.viewer, brandId)
        return { body: { brand, data: keys }, version: brand.version }
      },
    }),
    operation({
      ...of,
      id: 'getSigningKey',
      method: 'GET',
      path: '/brands/{brandId}/keys/{kid}',
      summary: 'A signing key',
      permission: 'keys.read',
      params: kidParams,
      answer: named('KeyOfBrand', z.object({ brand: owner, key })),
      async run({ params: { brandId, kid }, caller }) {
        const { brand, signingKey } = await getKey(caller.viewer, kid)
        if (brand.id !== brandId) throw new ApiProblem('not-found')
        return { body: { brand, key: signingKey } }
      },
    }),
    operation({
      ...of,
      id: 'getJwks',
      method: 'GET',
      path: '/brands/{brandId}/jwks',
      summary: 'A Brand’s key set as it is published (RFC 7517)',
      permission: 'keys.read',
      params: brandParams,
      answer: named('Jwks', z.object({ keys: z.array(jwk) })),
      run: async ({ params: { brandId }, caller }) => ({
        body: (await readKeyTimeline(caller.viewer, brandId)).jwks,
      }),
    }),
  ]
}

function endOperation(
  what: 'retire' | 'compromise',
  end: typeof retireBrandKey,
  texts: { summary: string; description: string },
): Operation {
  return operation({
    ...of,
    ...texts,
    id: `${what}SigningKey`,
    method: 'POST',
    path: `/brands/{brandId}/keys/{kid}/${what}`,
    permission: 'keys.write',
    params: kidParams,
    answer: changes,
    run: async ({ params: { brandId, kid }, caller }) => ({
      body: { changes: await end(caller, brandId, kid) },
    }),
  })
}

export function keyOperations(): Operation[] {
  return [
    ...readOperations(),
    operation({
      ...of,
      id: 'rotateSigningKey',
      method: 'POST',
      path: '/brands/{brandId}/keys/rotate',
      summary: 'Rotates a Brand’s signing key',
      description:
        'One step: the next key is published, or, once that was long enough ago, signs. With `force` a new key signs at once.',
      permission: 'keys.write',
      params: brandParams,
      body: named('KeyRotation', z.strictObject({ force: z.boolean().default(false) })),
      example: { force: false },
      answer: named(
        'RotatedKeys',
        z.object({
          changes: z.array(change),
          /** The key that is published and does not sign yet. */
          waiting: z.object({ kid: z.string(), signsFrom: time }).optional(),
        }),
      ),
      async run({ params: { brandId }, body: { force }, caller }) {
        const { changes: made, waiting } = await rotateBrandKey(caller, brandId, { force })
        const next = waiting && { kid: waiting.kid, signsFrom: new Date(waiting.signsFrom) }
        return { body: { changes: made, waiting: next } }
      },
    }),
    operation({
      ...of,
      id: 'scheduleKeyRotation',
      method: 'PUT',
      path: '/brands/{brandId}/keys/schedule',
      summary: 'Sets after how many days a Brand’s key is replaced by itself',
      permission: 'brands.write',
      params: brandParams,
      body: named(
        'KeySchedule',
        z.strictObject({ rotateEveryDays: z.number().min(0.01).max(3650).nullable() }),
      ),
      example: { rotateEveryDays: 90 },
      answer: owner,
      ifMatch: true,
      async run({ params: { brandId: id }, body: { rotateEveryDays }, version, caller }) {
        const keys = rotateEveryDays === null ? {} : { rotateEveryDays }
        const saved = await editBrand(caller, { id, since: new Date(version) }, (settings) => ({
          ...settings,
          keys,
        }))
        if (!saved.ok) throw new ApiProblem('invalid-content', { errors: errorsOf(saved.findings) })
        const { brand } = await readKeyTimeline(caller.viewer, id)
        return { body: brand, version: brand.version }
      },
    }),
    endOperation('retire', retireBrandKey, {
      summary: 'Takes a key out of service, as far as no request fails',
      description: 'Refused while something that it signed must still verify.',
    }),
    endOperation('compromise', compromiseBrandKey, {
      summary: 'Ends a key that others may have',
      description:
        'Within a second nothing that it signed is accepted, receipts included, and another key signs.',
    }),
  ]
}
