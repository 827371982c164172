import { isStorable } from '#lib/platform/text.ts'
import { readTextBody } from '#lib/protocol/read-body.ts'

/** The most that a form may have, in bytes: 200 scopes fit, and an assertion. */
const MAX_FORM_BYTES = 64 * 1024

const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i

/** A page's form: `scope` as often as it is checked, everything else once. */
export type Form = { fields: ReadonlyMap<string, string>; scopes: string[] }

/** Reads a form; undefined when it is none, is too large, holds what no text is, or repeats what can't be. */
export async function readForm(request: Request): Promise<Form | undefined> {
  if (!FORM.test(request.headers.get('Content-Type') ?? '')) return undefined
  const body = await readTextBody(request, MAX_FORM_BYTES)
  if (!body.ok) return undefined
  const fields = new Map<string, string>()
  const scopes: string[] = []
  for (const [name, value] of new URLSearchParams(body.text)) {
    if (!isStorable(value)) return undefined
    if (name === 'scope') scopes.push(value)
    else if (fields.has(name)) return undefined
    else fields.set(name, value)
  }
  return { fields, scopes }
}
