import { z } from 'zod'
import { isMap } from '#lib/platform/json-map.ts'
import { UnusableSchemaError } from './copy-schema.ts'

const parameterSchema = z.object({
  // Objects of the language treat that name apart.
  name: z
    .string()
    .min(1)
    .max(200)
    .refine((name) => name !== '__proto__'),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  required: z.boolean().default(false).catch(false),
  description: z.string().optional().catch(undefined),
  schema: z.unknown().optional(),
  explode: z.boolean().optional().catch(undefined),
  style: z.string().optional().catch(undefined),
})

export type Parameter = z.infer<typeof parameterSchema>

/** Headers that OpenAPI leaves to others than the caller's arguments, and that which every call brings. */
const ownHeaders = new Set(['accept', 'content-type', 'authorization', 'idempotency-key'])

/**
 * The parameters of an operation: its own, and those of its path that it does not have in the same place.
 *
 * @throws UnusableSchemaError
 */
export function mergeParameters(shared: unknown, own: unknown): Parameter[] {
  const merged = new Map<string, Parameter>()
  for (const given of [shared, own].flatMap((list) => (Array.isArray(list) ? list : []))) {
    const parsed = parameterSchema.safeParse(given)
    if (!parsed.success) throw new UnusableSchemaError('has a parameter that is not one of OpenAPI 3')
    merged.set(`${parsed.data.in} ${parsed.data.name}`, parsed.data)
  }
  return [...merged.values()]
}

/** Why a parameter can't be one of a tool's arguments; undefined when it can. */
export function findHindrance({ in: place, name, schema, style, explode }: Parameter): string | undefined {
  if (place === 'header' || place === 'cookie') return `the ${place} ${name}`
  const type = isMap(schema) ? schema.type : undefined
  const is = (wanted: string) => type === wanted || (Array.isArray(type) && type.includes(wanted))
  const usual = place === 'path' ? 'simple' : 'form'
  const composed = is('object') || (is('array') && (place === 'path' || explode === false))
  if (schema === undefined || composed || (style !== undefined && style !== usual)) {
    return `the parameter ${name}, which is written in a way of its own`
  }
  return undefined
}

/** True for a header that every call has, whatever its arguments are. */
export function isBroughtAnyway({ in: place, name }: Parameter): boolean {
  return place === 'header' && ownHeaders.has(name.toLowerCase())
}
