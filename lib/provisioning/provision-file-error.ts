import { printable } from '#lib/platform/printable.ts'
import { type Fault, formatFault } from './fault.ts'

/** A provision file can't be read or applied. The message is for the operator: a line a fault, each inert. */
export class ProvisionFileError extends Error {
  override name = 'ProvisionFileError'

  /** @param problem what keeps it from being read, or every fault that it has */
  constructor(problem: string | readonly Fault[]) {
    const lines = typeof problem === 'string' ? [problem] : problem.map(formatFault)
    super(lines.map(printable).join('\n'))
  }
}
