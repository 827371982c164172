import { z } from 'zod'
import { checkDomain } from '#lib/brands/check-domain.ts'
import { getVisibleBrand } from '#lib/brands/visible-brand.ts'
import { testLoginKeys } from '#lib/delegation/login-keys.ts'
import { readLoginTest, startLoginTest } from '#lib/delegation/login-test.ts'
import { anyJson, brandParams as params, time } from '../answer-parts.ts'
import { jwksReport } from '../jwks-report.ts'
import { named } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'
import { ApiProblem } from '../problem.ts'

const of = { tag: 'Brands', at: 'brand', params } as const

const progress = named(
  'LoginTest',
  z.discriminatedUnion('state', [
    z.object({ state: z.literal(['waiting', 'over']) }),
    z.object({
      state: z.literal('arrived'),
      at: time,
      checks: z.array(
        z.object({
          check: z.string(),
          result: z.enum(['passed', 'failed', 'skipped']),
          found: z.string().optional(),
        }),
      ),
    }),
  ]),
)

const notSet = (path: string) =>
  new ApiProblem('invalid-content', { errors: [{ path, reason: 'is not set: there is nothing to ask' }] })

/** What looks at a Brand's own places: its domain and its login. */
export function brandCheckOperations(): Operation[] {
  return [
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
        const { settings } = await getVisibleBrand(caller.viewer, brandId)
        const found = await testLoginKeys(caller.viewer, settings)
        if (!found) throw notSet('delegation')
        return { body: found }
      },
    }),
    operation({
      ...of,
      id: 'startLoginTest',
      method: 'POST',
      path: '/brands/{brandId}/login-tests',
      summary: 'Begins a test of the round trip through a Brand’s login',
      description: 'Open `loginUrl` and log in, within ten minutes. Nothing can be allowed with its code.',
      permission: 'brands.write',
      answer: named(
        'StartedLoginTest',
        z.object({ userCode: z.string(), loginUrl: z.string(), consentUrl: z.string() }),
      ),
      status: 201,
      async run({ params: { brandId }, caller }) {
        await getVisibleBrand(caller.viewer, brandId)
        const started = await startLoginTest(caller.viewer, brandId)
        if (!started) throw notSet('delegation')
        return { body: started, location: `/brands/${brandId}/login-tests/${started.userCode}` }
      },
    }),
    operation({
      ...of,
      id: 'getLoginTest',
      method: 'GET',
      path: '/brands/{brandId}/login-tests/{userCode}',
      summary: 'How far a test of a Brand’s login has come',
      description: 'Of those that the owner of the token has begun; another one is `over`.',
      permission: 'brands.write',
      params: params.extend({ userCode: z.string().max(20) }),
      answer: progress,
      run: async ({ params: { brandId, userCode }, caller }) => ({
        body: await readLoginTest(caller.viewer, brandId, userCode),
      }),
    }),
  ]
}
