import { z } from 'zod'
import type { ImportedOperation } from '#lib/agents/openapi/list-operations.ts'
import type { ToolSettings } from '#lib/agents/tools/schema.ts'
import { brandDocumentSchema, readBrandDocument } from '#lib/provisioning/read-brand-document.ts'
import { anyJson, brandParams as params } from '../answer-parts.ts'
import { named } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'
import { ApiProblem } from '../problem.ts'

const imported = named(
  'ImportedOperation',
  z.object({
    method: z.string(),
    path: z.string(),
    summary: z.string(),
    deprecated: z.boolean(),
    /** What the document says that a token must allow, by the API's own names. */
    scopes: z.array(z.string()),
    tool: anyJson.optional().meta({ description: 'As a draft takes it, without a scope.' }),
    notes: z.array(z.string()).optional(),
    unsupported: z.string().optional().meta({ description: 'Why it can be no tool.' }),
  }),
)

function toImported(found: ImportedOperation): z.input<typeof imported> & { tool?: ToolSettings } {
  const { method, path, summary, deprecated, scopes } = found
  const facts = { method, path, summary, deprecated, scopes }
  if ('unsupported' in found) return { ...facts, unsupported: found.unsupported }
  return { ...facts, tool: found.tool, notes: found.notes }
}

/** Tools from a Brand's OpenAPI document. */
export function agentImportOperations(): Operation[] {
  return [
    operation({
      id: 'readOpenApiDocument',
      method: 'POST',
      path: '/brands/{brandId}/agent/openapi',
      tag: 'Agents',
      summary: 'Reads the Brand’s OpenAPI 3 document: its operations as tools',
      description:
        'Nothing is stored: put the tools that you want into a draft, each with its scope. An operation that can be no tool says why. At most ten times a minute.',
      permission: 'brands.write',
      at: 'brand',
      params,
      body: named('OpenApiSource', brandDocumentSchema),
      example: { url: 'https://api.brand.example/openapi.json' },
      answer: named(
        'ImportedOperations',
        z.object({
          title: z.string(),
          data: z.array(imported),
          more: z.number().meta({ description: 'Operations beyond those.' }),
        }),
      ),
      harmless: true,
      async run({ params: { brandId }, body, caller }) {
        const read = await readBrandDocument(caller.viewer, brandId, body)
        if (!read.ok) {
          const path = body.document === undefined ? 'url' : 'document'
          throw new ApiProblem('invalid-content', { errors: [{ path, reason: read.reason }] })
        }
        const { title, operations, more } = read
        return { body: { title, data: operations.map(toImported), more } }
      },
    }),
  ]
}
