/** A request that is made at two doors. */
export type Sample = {
  name: string
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

/**
 * Whatever differs from request to request, or belongs to the connection. `Vary` is Next's own: it names fields that only
 * its pages' scripts send.
 */
const unstable = [
  'vary',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'x-request-id',
]

/** All of an answer that must be the same at both doors. */
export async function answerOf(url: string, { path, method = 'GET', headers = {}, body }: Sample) {
  const response = await fetch(url + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
  const fields = Object.fromEntries([...response.headers].filter(([name]) => !unstable.includes(name)))
  return { status: response.status, headers: fields, body: await response.text() }
}
