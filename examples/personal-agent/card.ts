import { z } from 'zod'
import { notUnderstood, Problem, unreachable } from './problem.ts'

const TIME_LIMIT = 10_000

const directorySchema = z.object({
  brands: z.array(z.object({ id: z.string(), name: z.string(), description: z.string(), cardUrl: z.url() })),
})

/** §5.1. An OAuth scheme of another kind is none of ours. */
const delegationSchema = z.object({
  flows: z.object({
    deviceCode: z.object({
      deviceAuthorizationUrl: z.url(),
      tokenUrl: z.url(),
      scopes: z.record(z.string(), z.string()),
    }),
  }),
  oauth2MetadataUrl: z.url(),
})

const cardSchema = z.object({
  name: z.string(),
  description: z.string().default(''),
  supportedInterfaces: z.array(
    z.object({ url: z.url(), protocolBinding: z.string(), protocolVersion: z.string() }),
  ),
  securitySchemes: z
    .record(
      z.string(),
      z.object({
        httpAuthSecurityScheme: z
          .object({ scheme: z.string(), bearerFormat: z.string().optional() })
          .optional(),
        oauth2SecurityScheme: delegationSchema.optional().catch(undefined),
      }),
    )
    .default({}),
  securityRequirements: z.array(z.object({ schemes: z.record(z.string(), z.unknown()) })).default([]),
})

export type ListedBrand = z.infer<typeof directorySchema>['brands'][number]
export type Card = z.infer<typeof cardSchema>

/**
 * The Brands that a Provider lists. This list is the demo Provider's own: PACT has no registry, and a personal agent
 * gets a card's URL from the Brand (§2.1).
 *
 * @throws Problem
 */
export async function fetchBrands(providerUrl: string): Promise<ListedBrand[]> {
  const { brands } = await fetchDocument(
    `${providerUrl.replace(/\/+$/, '')}/api/directory`,
    directorySchema,
    {
      missing: new Problem('The Provider lists no Brands.', "Name the Brand's card with: --card URL"),
    },
  )
  return brands
}

/**
 * A Brand's Agent Card (§2.1), wherever a redirect leads.
 *
 * @throws Problem
 */
export async function fetchCard(url: string): Promise<Card> {
  return fetchDocument(url, cardSchema, {
    missing: new Problem(`There is no card at ${url}.`, 'Ask the Brand for the address of its card.'),
  })
}

/**
 * Where messages go: the interface for A2A 1.0 over HTTP+JSON, picked by binding and version, not by position (§2.1).
 *
 * @returns its URL, without a slash at the end
 * @throws Problem when there is none, or when it wants more than a personal-agent JWT
 */
export function getInterfaceUrl(card: Card): string {
  const found = card.supportedInterfaces.find(
    ({ protocolBinding, protocolVersion }) => protocolBinding === 'HTTP+JSON' && protocolVersion === '1.0',
  )
  if (!found || !/^https?:/.test(found.url))
    throw new Problem(
      'The card offers no A2A 1.0 interface over HTTP+JSON.',
      'This Brand does not speak PACT 1.0.',
    )
  if (!card.securityRequirements.some(({ schemes }) => isPersonalAgentJwtAlone(card, Object.keys(schemes))))
    throw new Problem('The card does not accept personal-agent JWTs.', 'This Brand does not speak PACT 1.0.')
  return found.url.replace(/\/+$/, '')
}

function isPersonalAgentJwtAlone(card: Card, names: string[]): boolean {
  const [name] = names
  if (name === undefined || names.length > 1) return false
  const scheme = card.securitySchemes[name]?.httpAuthSecurityScheme
  return scheme?.scheme.toLowerCase() === 'bearer' && scheme.bearerFormat === 'JWT'
}

/**
 * A JSON document of the Provider's.
 *
 * @throws Problem; `missing` for a 404
 */
export async function fetchDocument<T>(
  url: string,
  schema: z.ZodType<T>,
  problems: { missing: Problem },
): Promise<T> {
  let answer: Response
  try {
    answer = await fetch(url, {
      headers: { Accept: 'application/json' },
      signal: AbortSignal.timeout(TIME_LIMIT),
    })
  } catch (cause) {
    throw unreachable(url, cause)
  }
  if (answer.status === 404) throw problems.missing
  if (!answer.ok) throw notUnderstood(url, `status ${answer.status}`)
  const document: unknown = await answer.json().catch(() => undefined)
  const parsed = schema.safeParse(document)
  if (!parsed.success) throw notUnderstood(url, z.prettifyError(parsed.error))
  return parsed.data
}
