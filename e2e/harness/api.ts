import { makeApiToken, mayGiveToToken } from '#lib/access/api-tokens.ts'
import { permissions, type Viewer } from '#lib/access/permissions.ts'
import { viewerOf } from '#lib/access/sessions.ts'
import { handleApi } from '#lib/api/handle.ts'
import { prisma } from '#lib/platform/database.ts'
import { log } from '#lib/platform/log.ts'
import { addConsoleUser, emailOf, type Role, roles, rolesOf } from './console-users.ts'
import { startDelegatedSender } from './delegated-sender.ts'
import { BRAND_ID, OTHER_BRAND_ID } from './provision.ts'

export type Sent = { body?: unknown; text?: string; headers?: Record<string, string> }

/** Calls the API as its handler answers it, without a server between. */
export async function callApi(
  token: string,
  method: string,
  path: string,
  { body, text, headers }: Sent = {},
) {
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await handleApi(
    new Request(`http://localhost:3000/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(content === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    }),
  )
  const answered = await response.text()
  const isJson = response.headers.get('Content-Type')?.includes('json') && !path.includes('/export')
  return {
    status: response.status,
    headers: response.headers,
    text: answered,
    body: isJson && answered ? JSON.parse(answered) : undefined,
  }
}

/** A token of a user's own: for all that they may, unless `only` says less. */
export async function tokenOf(viewer: Viewer, only: { permissions?: string[]; brandId?: string } = {}) {
  const { brandId } = only
  const given = permissions.filter(
    (each) => mayGiveToToken(viewer, each, brandId) && (only.permissions?.includes(each) ?? true),
  )
  const settings = { name: 'test', days: 7 as const, permissions: given, ...(brandId ? { brandId } : {}) }
  return makeApiToken(viewer, { kind: 'user', name: viewer.email }, settings)
}

/** The API on a database of its own: the delegated test Brand and another, a user and a token for each role. */
export async function startTestApi() {
  log().level = 'silent'
  const sender = await startDelegatedSender()
  const users = {} as Record<Role, { viewer: Viewer; token: string; tokenId: string }>
  for (const role of roles) {
    const id = await addConsoleUser(emailOf(role), rolesOf(BRAND_ID, OTHER_BRAND_ID)[role])
    const user = await prisma().consoleUser.findUniqueOrThrow({
      where: { id },
      include: { memberships: true },
    })
    const viewer = viewerOf(user)
    const made = await tokenOf(viewer)
    users[role] = { viewer, token: made.token, tokenId: made.id }
  }
  return { sender, users, close: () => sender.close() }
}

export type TestApi = Awaited<ReturnType<typeof startTestApi>>
