/** Why an A2A request was not done (§6), and the text that goes with it. The text is for people; clients read `reason`. */
export type A2AError = { reason: Reason; message: string }

export type Reason =
  | 'INVALID_PARAMS'
  | 'CONTENT_TYPE_NOT_SUPPORTED'
  | 'UNSUPPORTED_OPERATION'
  | 'PUSH_NOTIFICATION_NOT_SUPPORTED'
  | 'TASK_NOT_FOUND'
  | 'INTERNAL'

/** §6: the one table from reason to HTTP. */
const table: Record<Reason, { http: number; status: string }> = {
  INVALID_PARAMS: { http: 400, status: 'INVALID_ARGUMENT' },
  CONTENT_TYPE_NOT_SUPPORTED: { http: 400, status: 'INVALID_ARGUMENT' },
  UNSUPPORTED_OPERATION: { http: 400, status: 'FAILED_PRECONDITION' },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { http: 400, status: 'FAILED_PRECONDITION' },
  TASK_NOT_FOUND: { http: 404, status: 'NOT_FOUND' },
  INTERNAL: { http: 500, status: 'INTERNAL' },
}

/** The A2A / AIP-193 envelope of an error (§6). */
export function buildErrorEnvelope({ reason, message }: A2AError) {
  const { http, status } = table[reason]
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' },
  ]
  return { http, body: { error: { code: http, status, message, details } } }
}

/** §6 `INVALID_PARAMS`. */
export function invalidParams(message: string): A2AError {
  return { reason: 'INVALID_PARAMS', message }
}

/** §6 `INTERNAL`: nothing of the cause leaves. */
export const internalError: A2AError = { reason: 'INTERNAL', message: 'Internal error' }
