import { z } from 'zod'

/** A list of which every entry is there, even one that makes no sense; undefined when it is no list. */
function list<T extends z.ZodType>(entry: T) {
  return z.array(entry).optional().catch(undefined)
}

const text = z.string().optional().catch(undefined)
const lowerCase = z.string().toLowerCase().optional().catch(undefined)

const named = z.object({ id: text }).catch({ id: undefined })

const members = z.record(z.string(), z.unknown()).optional().catch(undefined)
const tool = z
  .object({
    name: text,
    scope: text,
    userArgument: text,
    arguments: z
      .object({ properties: members, required: list(text), additionalProperties: z.unknown().optional() })
      .optional()
      .catch(undefined),
  })
  .catch({ name: undefined, scope: undefined, userArgument: undefined, arguments: undefined })
const call = z.object({ tool: text, arguments: members }).catch({ tool: undefined, arguments: undefined })
const check = z.object({ name: text }).catch({ name: undefined })
const rule = z.object({ call: list(call) }).catch({ call: undefined })

const brand = z
  .object({
    id: text,
    domain: lowerCase,
    skills: list(named),
    delegation: z
      .object({ scopes: list(named) })
      .optional()
      .catch({ scopes: undefined }),
    agent: z
      .object({ tools: z.array(tool).default([]).catch([]), rules: list(rule), checks: list(check) })
      .optional()
      .catch(undefined),
  })
  .catch({ id: undefined, domain: undefined, skills: undefined, delegation: undefined, agent: undefined })

const role = z.object({ brand: text, provider: text }).catch({ brand: undefined, provider: undefined })
const consoleUser = z
  .object({ email: lowerCase, roles: list(role) })
  .catch({ email: undefined, roles: undefined })

/**
 * What a provision file's parts say about each other. It accepts anything, and leaves out what makes no sense, so that one
 * wrong value doesn't hide that another is given twice.
 */
export const outlineSchema = z
  .object({
    personalAgents: list(z.object({ issuer: text }).catch({ issuer: undefined })),
    brands: list(brand),
    console: z
      .object({ users: list(consoleUser) })
      .optional()
      .catch(undefined),
  })
  .catch({ personalAgents: undefined, brands: undefined, console: undefined })

export type Outline = z.infer<typeof outlineSchema>
export type BrandOutline = NonNullable<Outline['brands']>[number]
