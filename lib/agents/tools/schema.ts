import { z } from 'zod'
import { displayText } from '#lib/platform/text.ts'
import { serviceUrl } from '#lib/platform/urls.ts'
import { identifier } from '../authored-text.ts'
import { findSchemaFault } from './argument-schema.ts'
import { parseUrlTemplate } from './url-template.ts'

const argumentsSchema = z.record(z.string(), z.json()).superRefine((schema, context) => {
  const fault = findSchemaFault(schema)
  if (fault) context.addIssue({ code: 'custom', message: fault })
})

const urlTemplate = (options: { allowLoopback: boolean }) =>
  serviceUrl(options).superRefine((source, context) => {
    const parsed = parseUrlTemplate(source)
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.reason })
  })

/** The first of a URL's variables that is not one of the arguments. */
function findUnknownVariable(url: string, schema: Record<string, unknown> | undefined): string | undefined {
  const parsed = parseUrlTemplate(url)
  const known = new Set(Object.keys(schema?.properties ?? {}))
  return parsed.ok ? parsed.template.variables.find((name) => !known.has(name)) : undefined
}

/** Under §3 nobody knows who the User is at the Brand: what needs to know it needs a scope. */
function findUserArgumentFault(
  name: string | undefined,
  scope: string | undefined,
  schema: Record<string, unknown> | undefined,
): string | undefined {
  if (name === undefined) return undefined
  if (scope === undefined) return 'needs a scope: only under a delegation token it is known who the User is'
  return Object.hasOwn(schema?.properties ?? {}, name) ? undefined : "must be one of the tool's arguments"
}

const toolMembers = {
  name: identifier,
  description: displayText({ max: 1_000, lines: true }),
  scope: z.string().optional(),
  changes: z.boolean().default(false),
  /** The argument that is the User's id at the Brand: it comes from the delegation token and from nowhere else. */
  userArgument: identifier.optional(),
}

const requestMembers = {
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  /** How long a call may take; less where the turn's own time is shorter. Left out: 10. */
  timeLimitSeconds: z.number().min(0.1).max(120).optional(),
}

/** A tool as it is stored: its JSON Schema and its URL were checked before that. */
export const storedToolSchema = z.strictObject({
  ...toolMembers,
  arguments: z.record(z.string(), z.json()).optional(),
  request: z.strictObject({ ...requestMembers, url: z.string() }),
})

/** A tool: one HTTP call to the Brand's API. */
export function toolSchema(options: { allowLoopback: boolean }) {
  return z
    .strictObject({
      ...toolMembers,
      /** JSON Schema (2020-12); left out, the tool takes none. */
      arguments: argumentsSchema.optional(),
      request: z.strictObject({ ...requestMembers, url: urlTemplate(options) }),
    })
    .superRefine(({ arguments: schema, request, scope, userArgument }, context) => {
      const name = findUnknownVariable(request.url, schema)
      if (name !== undefined) {
        const message = `has {${name}}, which is not one of the properties of the tool's arguments`
        context.addIssue({ code: 'custom', message, path: ['request', 'url'] })
      }
      const fault = findUserArgumentFault(userArgument, scope, schema)
      if (fault) context.addIssue({ code: 'custom', message: fault, path: ['userArgument'] })
    })
}

export type ToolSettings = z.infer<ReturnType<typeof toolSchema>>
