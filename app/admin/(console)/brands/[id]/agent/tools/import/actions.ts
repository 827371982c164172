'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import type { FormState } from '#components/console/form-state.ts'
import { may } from '#lib/access/permissions.ts'
import { fetchOpenApi } from '#lib/agents/openapi/fetch-openapi.ts'
import { MAX_DOCUMENT_BYTES, type ReadOpenApi, readOpenApi } from '#lib/agents/openapi/read-openapi.ts'
import { findVisibleBrand } from '#lib/brands/visible-brand.ts'
import { config } from '#lib/platform/config.ts'
import { saveAgentDraft } from '#lib/provisioning/agent-drafts.ts'
import { StaleEditError } from '#lib/provisioning/stale-edit.ts'
import { formAction, type Outcome } from '../../../../../../form-action.ts'
import { requireViewer } from '../../../../../../viewer.ts'
import { draftTarget } from '../../draft-action.ts'
import { texts } from '../../texts.ts'

const { import: text } = texts

const optional = z
  .string()
  .max(2_048)
  .trim()
  .transform((value) => value || undefined)

const askedSchema = z.object({
  url: optional,
  text: z.string().max(MAX_DOCUMENT_BYTES),
  server: optional,
})

/** The document comes as a file or as text. */
async function readAsked(data: FormData) {
  const file = data.get('file')
  const given = file instanceof File && file.size > 0 ? await file.text() : data.get('text')
  return { url: data.get('url'), text: given, server: data.get('server') }
}

/** Reads a document for whoever may change the Brand. Nothing is stored. */
export async function readDocument(data: FormData): Promise<ReadOpenApi> {
  const viewer = await requireViewer()
  const id = data instanceof FormData ? String(data.get('id')) : ''
  const brand = may(viewer, 'brands.write', id) ? await findVisibleBrand(viewer, id) : undefined
  if (!brand) return { ok: false, reason: 'You may not do this.' }
  const parsed = askedSchema.safeParse(await readAsked(data))
  if (!parsed.success) return { ok: false, reason: text.neither }
  const { url, text: given, server } = parsed.data
  const reach = {
    allowLoopback: config().allowLoopback,
    allowPrivate: brand.settings.privateNetworks ?? false,
  }
  const options = { ...reach, base: url, server }
  if (given.trim() !== '') return readOpenApi(given, options)
  if (url === undefined) return { ok: false, reason: text.neither }
  const fetched = await fetchOpenApi(url, reach)
  return fetched.ok ? readOpenApi(fetched.text, options) : fetched
}

function readPicked(data: FormData): unknown {
  try {
    return JSON.parse(String(data.get('tools') ?? ''))
  } catch {
    return undefined
  }
}

/** Adds tools that were picked to the draft. They are checked like those that somebody writes by hand. */
export async function addTools(state: FormState, data: FormData): Promise<FormState> {
  return formAction({
    permission: 'brands.write',
    brandOf: (fields) => String(fields.get('id') ?? ''),
    shape: (fields) => ({ id: fields.get('id'), version: fields.get('version'), tools: readPicked(fields) }),
    schema: draftTarget.extend({ tools: z.array(z.unknown()).min(1, text.none).max(200) }),
    async run({ id, version, tools }, context): Promise<Outcome> {
      try {
        const saved = await saveAgentDraft(context, { brandId: id, base: version }, (agent) => ({
          ...agent,
          tools: [...(agent.tools ?? []), ...tools],
        }))
        if (!saved.ok) {
          const errors = saved.findings.map(({ path, reason }) => `${path.join('.')}: ${reason}`)
          return { status: 'invalid', errors: { '': errors.slice(0, 20) } }
        }
        revalidatePath('/admin/brands', 'layout')
        return {
          status: 'done',
          message: text.added(tools.length, saved.number),
          values: { version: String(saved.number) },
        }
      } catch (error) {
        if (error instanceof StaleEditError) return { status: 'failed', message: texts.conflict }
        throw error
      }
    },
  })(state, data)
}
