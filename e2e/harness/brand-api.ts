import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call that a Brand's API got. */
export type ApiCall = {
  method: string
  /** Path and query, as on the wire. */
  path: string
  headers: IncomingHttpHeaders
  /** The parsed JSON body; undefined without one. */
  body: unknown
}

/** `json` left out: no content. `raw` stands for content that is not JSON. `hangUp`: no answer, and no connection any more. */
export type ApiAnswer = {
  status?: number
  json?: unknown
  raw?: string
  headers?: Record<string, string>
  hangUp?: boolean
}

export type TestBrandApi = {
  /** `http://localhost:PORT` */
  origin: string
  /** Every call since the start, or since `calls` was emptied. */
  calls: ApiCall[]
  /** From here on, calls are answered by this. */
  answerWith(answer: (call: ApiCall) => ApiAnswer | Promise<ApiAnswer>): void
  close(): Promise<void>
}

/** A Brand's account API, on loopback: it keeps every call, and answers what the test decides (at first `{}`). */
export async function startBrandApi(): Promise<TestBrandApi> {
  const calls: ApiCall[] = []
  let answer: (call: ApiCall) => ApiAnswer | Promise<ApiAnswer> = () => ({ json: {} })
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const { method = '', url: path = '', headers } = request
    const call = { method, path, headers, body: text === '' ? undefined : JSON.parse(text) }
    calls.push(call)
    const { status = 200, json, raw, headers: extra, hangUp } = await answer(call)
    if (hangUp) {
      request.socket.destroy()
      return
    }
    response.writeHead(status, { 'Content-Type': 'application/json', ...extra })
    response.end(raw ?? (json === undefined ? undefined : JSON.stringify(json)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    calls,
    answerWith: (given) => {
      answer = given
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
