import { type FetchedJson, only200 } from './fetch-document.ts'
import { type GuardedRequest, guardedRequest, parseJson } from './guarded-request.ts'

/** A question in JSON. `body`: its text, byte for byte as it is sent. */
export type JsonQuestion = Omit<GuardedRequest, 'method' | 'body' | 'readRedirects'> & {
  body: string
}

/**
 * Posts JSON to a URL that somebody else chose, by the rules of {@link guardedRequest}, and wants JSON back with the status
 * 200: any other answer is none.
 *
 * @returns the parsed answer, or why there is none. Never rejects.
 */
export function postJson({ headers, ...question }: JsonQuestion): Promise<FetchedJson> {
  return guardedRequest(
    {
      ...question,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    },
    only200,
    ({ bytes }) => parseJson(bytes),
  )
}
