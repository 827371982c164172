import { createServer, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What belongs to one connection (RFC 9110 §7.6.1), as `rawHeaders` has it: names and values in turn. */
const OWN_HEADERS = new Set(['connection', 'keep-alive'])

function withoutOwnHeaders(raw: readonly string[]): string[] {
  return raw.filter((_, index) => !OWN_HEADERS.has((raw[index - (index % 2)] ?? '').toLowerCase()))
}

/** Hands one request to an instance, body and answer as they come; 502 where the instance can't be reached. */
function forward(request: IncomingMessage, response: ServerResponse, instance: URL): void {
  const onward = openRequest({
    hostname: instance.hostname,
    port: instance.port,
    method: request.method,
    path: request.url,
    headers: withoutOwnHeaders(request.rawHeaders),
    agent: false,
  })
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, withoutOwnHeaders(answer.rawHeaders))
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  // An instance may answer, and hang up, before it has read the whole body.
  onward.on('error', () => {
    if (!response.headersSent) response.writeHead(502).end()
  })
  response.on('close', () => onward.destroy())
  request.pipe(onward)
}

/** A load balancer without any stickiness, and how many requests each instance has got. */
export type RoundRobin = {
  url: string
  counts: number[]
  /** From here on, one request goes to the first of these, the next to the second, and so on. */
  spreadOver(urls: readonly string[]): void
  close(): Promise<void>
}

/** Listens on a free port, so that instances can be told its address before they start; until then it answers 502. */
export async function startRoundRobin(): Promise<RoundRobin> {
  let instances: URL[] = []
  const counts: number[] = []
  let next = 0
  const server = createServer((request, response) => {
    const turn = next++ % Math.max(instances.length, 1)
    const instance = instances[turn]
    if (!instance) return void response.writeHead(502).end()
    counts[turn] = (counts[turn] ?? 0) + 1
    forward(request, response, instance)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    counts,
    spreadOver(urls) {
      instances = urls.map((url) => new URL(url))
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
