import { expect } from 'vitest'
import { parseEventStream, type StreamEvent } from './event-stream.ts'
import { type Answer, at, isRecord, mediaType } from './wire.ts'

/** §2: the media type of every A2A response. */
export const A2A_JSON = 'application/a2a+json'

/** §6, the table. */
const reasons = {
  INVALID_PARAMS: { code: 400, status: 'INVALID_ARGUMENT' },
  CONTENT_TYPE_NOT_SUPPORTED: { code: 400, status: 'INVALID_ARGUMENT' },
  UNSUPPORTED_OPERATION: { code: 400, status: 'FAILED_PRECONDITION' },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { code: 400, status: 'FAILED_PRECONDITION' },
  TASK_NOT_FOUND: { code: 404, status: 'NOT_FOUND' },
  INTERNAL: { code: 500, status: 'INTERNAL' },
} as const

export type Reason = keyof typeof reasons

/** §6: the error in its exact envelope. */
export function expectA2aError(answer: Answer, reason: Reason): void {
  const { code, status } = reasons[reason]
  const got = `${answer.status} ${answer.text.slice(0, 300)}`
  expect(at(answer.json, 'error', 'details', 0, 'reason'), `the reason; got ${got}`).toBe(reason)
  expect(answer.status, `the HTTP status; got ${got}`).toBe(code)
  expect(mediaType(answer), 'the Content-Type').toBe(A2A_JSON)
  expect(at(answer.json, 'error'), 'the envelope').toMatchObject({
    code,
    status,
    message: expect.any(String),
    details: expect.arrayContaining([
      expect.objectContaining({
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason,
        domain: 'a2a-protocol.org',
      }),
    ]),
  })
  expect(at(answer.json, 'error', 'details', 0, '@type'), 'details[0]').toBe(
    'type.googleapis.com/google.rpc.ErrorInfo',
  )
  expect(at(answer.json, 'error', 'details', 0, 'domain'), 'details[0]').toBe('a2a-protocol.org')
}

/** No A2A body: whatever the body is, it is neither an A2A error nor an A2A response. */
export function expectNoA2aBody(answer: Answer): void {
  if (answer.text === '') return
  expect(mediaType(answer), 'the Content-Type of an answer without an A2A body').not.toBe(A2A_JSON)
  if (!isRecord(answer.json)) return
  expect(at(answer.json, 'error', 'details'), 'an A2A error in the body').toBeUndefined()
  for (const member of ['message', 'task', 'tasks', 'supportedInterfaces']) {
    expect(at(answer.json, member), `the body's ${member}`).not.toBeTypeOf('object')
  }
}

/** §2.2: a route that is not an A2A operation. */
export function expectNoSuchRoute(answer: Answer): void {
  expect([404, 405], `404 or 405; got ${answer.status}`).toContain(answer.status)
  expectNoA2aBody(answer)
}

/** §3.4: the 401 of every authentication failure. */
export function expectUnauthorized(answer: Answer): void {
  expect(answer.status, `401; got ${answer.status} ${answer.text.slice(0, 300)}`).toBe(401)
  expect(answer.headers.get('WWW-Authenticate'), 'WWW-Authenticate').toBe('Bearer realm="a2a"')
  expectNoA2aBody(answer)
}

/** §5.5: the 401 of every bad delegation token. */
export function expectInvalidDelegation(answer: Answer): void {
  expect(answer.status, `401; got ${answer.status} ${answer.text.slice(0, 300)}`).toBe(401)
  expect(answer.headers.get('WWW-Authenticate'), 'WWW-Authenticate').toBe(
    'Bearer realm="a2a", error="invalid_token"',
  )
  expectNoA2aBody(answer)
}

/** §6: an error of an OAuth endpoint is RFC 6749 §5.2's or RFC 8628 §3.5's, and no A2A error. */
export function expectOAuthError(answer: Answer, ...errors: string[]): void {
  const got = `${answer.status} ${answer.text.slice(0, 300)}`
  const error = at(answer.json, 'error')
  expect(errors, `the error; got ${got}`).toContain(error)
  expect(answer.status, `the HTTP status; got ${got}`).toBe(error === 'invalid_client' ? 401 : 400)
  expect(mediaType(answer), 'the Content-Type').toBe('application/json')
  expect(answer.headers.get('Cache-Control') ?? '', 'Cache-Control').toMatch(/no-store/)
}

/** An A2A response: 200, in A2A's media type (§2). */
export function expectA2aOk(answer: Answer): void {
  expect(answer.status, `200; got ${answer.status} ${answer.text.slice(0, 300)}`).toBe(200)
  expect(mediaType(answer), 'the Content-Type').toBe(A2A_JSON)
}

/** The reply to an ordinary turn (§4.2). @returns its A2A Message */
export function expectReply(answer: Answer): Record<string, unknown> {
  expectA2aOk(answer)
  const message = at(answer.json, 'message')
  if (!isRecord(message))
    return expect.fail(`a reply { "message": Message }; got ${answer.text.slice(0, 300)}`)
  expect(message.role, 'role').toBe('ROLE_AGENT')
  expect(message.contextId, 'contextId').toEqual(expect.stringMatching(/./))
  expect(message.messageId, 'messageId').toEqual(expect.stringMatching(/./))
  expect(message.parts, 'parts').toEqual(expect.arrayContaining([expect.anything()]))
  return message
}

/** The events of a stream that has ended. A2A 1.0: a message is a stream's only event, and so is a task that waits. */
export function expectOneEvent(answer: Answer): StreamEvent {
  expect(answer.status, `200; got ${answer.status} ${answer.text.slice(0, 300)}`).toBe(200)
  expect(mediaType(answer), 'the Content-Type').toBe('text/event-stream')
  const { events } = parseEventStream(answer.text)
  const [event, ...more] = events
  if (!event || more.length > 0)
    return expect.fail(`one event, then the end; got ${answer.text.slice(0, 300)}`)
  return event
}
