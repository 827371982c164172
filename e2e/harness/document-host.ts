import type { IncomingMessage, ServerResponse } from 'node:http'
import { serveOnLoopback } from './played-server.ts'

/** What a path answers: a document, or whatever else the test makes of the response. */
export type Answer = object | ((request: IncomingMessage, response: ServerResponse) => void)

/** Somebody else's web server, on loopback: a test decides what it answers, and sees how often it was asked. */
export type DocumentHost = {
  /** `http://localhost:PORT` */
  origin: string
  port: number
  /** From here on, `path` answers this, whatever its query unless that has an answer too; others get 404. */
  answer(path: string, answer: Answer): void
  hits(path: string): number
  close(): Promise<void>
}

/** Starts a host that answers 404 until it is told otherwise. */
export async function startDocumentHost(): Promise<DocumentHost> {
  const answers = new Map<string, Answer>()
  const counts = new Map<string, number>()
  const served = await serveOnLoopback((request, response) => {
    const path = request.url ?? ''
    counts.set(path, (counts.get(path) ?? 0) + 1)
    const answer = answers.get(path) ?? answers.get(path.split('?', 1)[0] ?? '')
    if (typeof answer === 'function') return answer(request, response)
    response.writeHead(answer ? 200 : 404, { 'Content-Type': 'application/json' })
    response.end(answer && JSON.stringify(answer))
  })
  return {
    ...served,
    answer: (path, answer) => void answers.set(path, answer),
    hits: (path) => counts.get(path) ?? 0,
  }
}
