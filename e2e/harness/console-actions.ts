import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Takes } from './console-action-rules.ts'

const manifest = join(import.meta.dirname, '../../.next/server/server-reference-manifest.json')

/** A server action that the build has: its name here, its id on the wire, and a page that it can be sent to. */
export type ActionEntry = { name: string; id: string; page: string }

type Manifest = {
  node: Record<string, { workers: Record<string, unknown>; filename: string; exportedName: string }>
}

/** Every server action below `app/admin` that the build lets a browser call. */
export async function listActions(): Promise<ActionEntry[]> {
  const { node }: Manifest = JSON.parse(await readFile(manifest, 'utf8'))
  return Object.entries(node).flatMap(([id, { workers, filename, exportedName }]) => {
    if (!filename.startsWith('app/admin/')) return []
    const folder = filename.slice('app/admin/'.length).split('/').slice(0, -1).join('/')
    const worker = Object.keys(workers).find((each) => each.startsWith('app/admin/')) ?? 'app/admin/page'
    return [{ name: `${folder}#${exportedName}`, id, page: `${worker.slice('app/admin/'.length)}.tsx` }]
  })
}

export type Arguments = { takes: Takes; fields: Record<string, string> }

/** An action's arguments as React sends them: part `0` has all of them, and names where a form's fields are. */
function encodeArguments({ takes, fields }: Arguments): FormData {
  const body = new FormData()
  if (takes === 'form' || takes === 'data') {
    for (const [name, value] of Object.entries(fields)) body.append(`_1_${name}`, value)
  }
  const idle = '{"status":"idle","errors":{},"values":{}}'
  const all = {
    form: `[${idle},"$K1"]`,
    data: '["$K1"]',
    value: JSON.stringify([fields]),
    id: JSON.stringify([fields.id]),
    nothing: '[]',
  }
  body.append('0', all[takes])
  return body
}

type Answer = { status: number; text: string; redirect: string | undefined }

/** Calls a server action as a browser does. */
export function callAction(address: string, id: string, cookie: string, given: Arguments): Promise<Answer> {
  return postAction(address, id, cookie, encodeArguments(given))
}

/** Calls a server action with a body of one's own making: all its arguments, as JSON. */
export function callActionWith(address: string, id: string, cookie: string, json: string): Promise<Answer> {
  const body = new FormData()
  body.append('0', json)
  return postAction(address, id, cookie, body)
}

async function postAction(address: string, id: string, cookie: string, body: FormData): Promise<Answer> {
  const response = await fetch(address, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'next-action': id, accept: 'text/x-component', cookie, origin: new URL(address).origin },
    body,
  })
  const redirect = response.headers.get('x-action-redirect') ?? response.headers.get('location') ?? undefined
  return { status: response.status, text: await response.text(), redirect }
}

/**
 * Whether an action's answer says that the caller may not do this, in whichever way it says so.
 *
 * @param quiet whether it may do so by answering nothing
 */
export function isRefusal(text: string, quiet: boolean): boolean {
  if (quiet) return /^1:("\$undefined"|\{\})$/m.test(text)
  return [
    'You may not do this.',
    '"reason":"forbidden"',
    '"state":"forbidden"',
    '"errors":{},"card":"$undefined"',
    'is not a Brand of yours',
  ].some((part) => text.includes(part))
}
