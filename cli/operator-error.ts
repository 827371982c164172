import { ProvisionFileError } from '#lib/provisioning/provision-file-error.ts'

/** A command can't do what it was asked. The message is for the operator: one line, or one line a fault. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** Node says of some failed connections only what each attempt met. */
function firstCause(error: Error): Error {
  const [cause] = error instanceof AggregateError ? error.errors : []
  return cause instanceof Error ? cause : error
}

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ECONNRESET',
  'P1001',
])
/** PostgreSQL's own: wrong password, no such account, no such database. */
const admissionCodes = new Set(['28P01', '28000', '3D000', 'P1000', 'P1003'])

function isDatabaseOutOfReach(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : ''
  return connectionCodes.has(code) || admissionCodes.has(code)
}

/** What an operator reads of a failure: what is wrong and, where it is known, what to do. Never a stack trace. */
export function describeFailure(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure)
  const error = firstCause(failure)
  if (isDatabaseOutOfReach(error)) {
    return `The database can't be used: ${error.message}. Check DATABASE_URL, or leave it out to use the embedded database.`
  }
  if (failure instanceof OperatorError || failure instanceof ProvisionFileError) return failure.message
  // A library may put a whole page into its message: its last line is the reason.
  return error.message.trim().split('\n').at(-1) || error.name
}
