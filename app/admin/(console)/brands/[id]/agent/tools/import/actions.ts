'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import type { FormState } from '#components/console/form-state.ts'
import { assertMay, ForbiddenError } from '#lib/access/permissions.ts'
import { TooOftenError } from '#lib/access/trial-limit.ts'
import type { ReadOpenApi } from '#lib/agents/openapi/read-openapi.ts'
import { saveAgentDraft } from '#lib/provisioning/agent-drafts.ts'
import { checkSchema } from '#lib/provisioning/describe-issues.ts'
import { brandDocumentSchema, readBrandDocument } from '#lib/provisioning/read-brand-document.ts'
import { StaleEditError } from '#lib/provisioning/stale-edit.ts'
import { formAction, type Outcome } from '../../../../../../form-action.ts'
import { requireViewer } from '../../../../../../viewer.ts'
import { draftTarget } from '../../draft-action.ts'
import { texts } from '../../texts.ts'

const { import: text } = texts

/** The document comes as a file or as text. */
async function readAsked(data: FormData) {
  const file = data.get('file')
  const typed = (name: string) => String(data.get(name) ?? '').trim() || undefined
  const document = file instanceof File && file.size > 0 ? await file.text() : typed('text')
  return { document, url: typed('url'), server: typed('server') }
}

/** Reads a document for whoever may change the Brand. Nothing is stored. */
export async function readDocument(data: FormData): Promise<ReadOpenApi> {
  const viewer = await requireViewer()
  if (!(data instanceof FormData)) return { ok: false, reason: text.neither }
  const checked = checkSchema(brandDocumentSchema, await readAsked(data))
  try {
    // Whoever may not is told so, whatever they sent.
    const id = String(data.get('id'))
    assertMay(viewer, 'brands.write', id)
    return checked.ok
      ? await readBrandDocument(viewer, id, checked.value)
      : { ok: false, reason: text.neither }
  } catch (error) {
    if (error instanceof ForbiddenError) return { ok: false, reason: 'You may not do this.' }
    if (error instanceof TooOftenError) return { ok: false, reason: error.message }
    throw error
  }
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
