import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { log } from './log.ts'

const LONGEST_PATH = 200

/** Where the build's own files are: a page asks for many of them. */
const ASSETS = '/_next/'

/** Writes a line for a request of a page when it has been answered. The query stays out: it may carry codes. */
export function logPage(request: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now()
  const path = (request.url ?? '').split('?', 1)[0]?.slice(0, LONGEST_PATH) ?? ''
  response.once('close', () => {
    const line = {
      requestId: randomUUID(),
      path,
      method: request.method,
      status: response.statusCode,
      ms: Math.round((performance.now() - startedAt) * 100) / 100,
    }
    if (path.startsWith(ASSETS)) log().debug(line, 'asset')
    else log().info(line, 'page')
  })
}
