import { z } from 'zod'
import type { Reach } from '#lib/platform/outbound/address-rules.ts'
import { displayText } from '#lib/platform/text.ts'
import { serviceUrl } from '#lib/platform/urls.ts'
import { identifier } from '../authored-text.ts'
import { secretText } from '../secret-text.ts'
import { findSchemaFault } from './argument-schema.ts'
import { parseUrlTemplate } from './url-template.ts'

const argumentsSchema = z.record(z.string(), z.json()).superRefine((schema, context) => {
  const fault = findSchemaFault(schema)
  if (fault) context.addIssue({ code: 'custom', message: fault })
})

const urlTemplate = (options: Reach) =>
  serviceUrl(options).superRefine((source, context) => {
    const parsed = parseUrlTemplate(source)
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.reason })
  })

/** A header's name (RFC 9110 §5.1), but none that belongs to the connection, to the message or to the call itself. */
const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/, "must be a header's name")
  .refine(
    (name) =>
      !/^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|cookie|idempotency-key|accept.*|content-.*|proxy-.*)$/i.test(
        name,
      ),
    'must not be a header that the call has of its own',
  )

const toolMembers = {
  name: identifier,
  description: displayText({ max: 1_000, lines: true }),
  scope: z.string().optional(),
  /** Whether a call may change something at the Brand. Left out: unless its method is GET. */
  changes: z.boolean().optional(),
  /** The argument that is the User's id at the Brand: it comes from the delegation token and from nowhere else. */
  userArgument: identifier.optional(),
}

const requestMembers = {
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  /** How long a call may take; less where the turn's own time is shorter. Left out: 10. */
  timeLimitSeconds: z.number().min(0.1).max(120).optional(),
  /** Arguments that go into the URL's query although the method has a body. */
  query: z.array(z.string().min(1).max(200)).max(50).optional(),
}

/** A header that shows the Brand's API who calls, where it is not a User. Its value is a secret. */
const headerMembers = { name: headerName }

/** A tool as it is stored: its JSON Schema and its URL were checked before that. */
export const storedToolSchema = z.strictObject({
  ...toolMembers,
  arguments: z.record(z.string(), z.json()).optional(),
  request: z.strictObject({
    ...requestMembers,
    url: z.string(),
    header: z.strictObject(headerMembers).optional(),
  }),
})

type StoredTool = z.infer<typeof storedToolSchema>
type ToolFault = { path: string[]; message: string }

function findUnknownArguments({ arguments: schema, request }: StoredTool): ToolFault[] {
  const known = new Set(Object.keys(schema?.properties ?? {}))
  const parsed = parseUrlTemplate(request.url)
  const variable = parsed.ok ? parsed.template.variables.find((name) => !known.has(name)) : undefined
  const inQuery = request.query?.find((name) => !known.has(name))
  const fault = (path: string, name: string | undefined, shown = name) =>
    name === undefined
      ? []
      : [
          {
            path: ['request', path],
            message: `has ${shown}, which is not one of the properties of the tool's arguments`,
          },
        ]
  return [...fault('url', variable, `{${variable}}`), ...fault('query', inQuery)]
}

/** Under §3 nobody knows who the User is at the Brand: what needs to know it needs a scope. */
function findUserArgumentFault({ userArgument, scope, arguments: schema }: StoredTool): ToolFault[] {
  if (userArgument === undefined) return []
  const fault = (message: string) => [{ path: ['userArgument'], message }]
  if (scope === undefined)
    return fault('needs a scope: only under a delegation token it is known who the User is')
  const known = Object.keys(schema?.properties ?? {})
  return known.includes(userArgument) ? [] : fault("must be one of the tool's arguments")
}

/** What a tool with a scope shows is the delegation token: it says for whom it acts. */
function findHeaderFault({ scope, request }: StoredTool): ToolFault[] {
  if (request.header === undefined || scope === undefined) return []
  return [
    {
      path: ['request', 'header'],
      message: 'is for tools without a scope: others show the delegation token',
    },
  ]
}

/** A tool: one HTTP call to the Brand's API. */
export function toolSchema(options: Reach) {
  return z
    .strictObject({
      ...toolMembers,
      /** JSON Schema (2020-12); left out, the tool takes none. */
      arguments: argumentsSchema.optional(),
      request: z.strictObject({
        ...requestMembers,
        url: urlTemplate(options),
        /** `value` left out keeps the one that is stored, `null` takes it away. */
        header: z.strictObject({ ...headerMembers, value: secretText.nullable().optional() }).optional(),
      }),
    })
    .superRefine((tool, context) => {
      const faults = [...findUnknownArguments(tool), ...findUserArgumentFault(tool), ...findHeaderFault(tool)]
      for (const fault of faults) context.addIssue({ code: 'custom', ...fault })
    })
}

/** A tool as it is written: with the value of its header, which is stored apart. */
export type WrittenTool = z.infer<ReturnType<typeof toolSchema>>
export type ToolSettings = StoredTool

/** Whether a call of the tool may change something at the Brand. */
export function mayChange({ changes, request }: StoredTool): boolean {
  return changes ?? request.method !== 'GET'
}

/** A tool without what is stored apart from it. */
export function withoutSecret({ request: { header, ...request }, ...tool }: WrittenTool): ToolSettings {
  return { ...tool, request: { ...request, ...(header ? { header: { name: header.name } } : {}) } }
}
