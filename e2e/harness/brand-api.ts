import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { type PlayedServer, playServer } from './played-server.ts'

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

export type TestBrandApi = PlayedServer<ApiCall, ApiAnswer> & {
  /** `http://localhost:PORT` */
  origin: string
}

function readCall({ method = '', url: path = '', headers }: IncomingMessage, body: Buffer): ApiCall {
  return { method, path, headers, body: body.length === 0 ? undefined : JSON.parse(body.toString()) }
}

function send({ status = 200, json, raw, headers, hangUp }: ApiAnswer, response: ServerResponse): void {
  if (hangUp) return void response.destroy()
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  response.end(raw ?? (json === undefined ? undefined : JSON.stringify(json)))
}

/** A Brand's account API, on loopback: it keeps every call, and answers what the test decides (at first `{}`). */
export function startBrandApi(): Promise<TestBrandApi> {
  return playServer<ApiCall, ApiAnswer>({ read: readCall, answer: () => ({ json: {} }), send })
}
