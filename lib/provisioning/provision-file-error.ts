import { printable } from '#lib/platform/printable.ts'
import type { ProvisionError } from './apply-provision.ts'
import { type Fault, formatFault, type Path } from './fault.ts'

/** A provision file can't be read or applied. The message is for the operator: a line a fault, each inert. */
export class ProvisionFileError extends Error {
  override name = 'ProvisionFileError'

  /**
   * @param problem what keeps it from being read, or every fault that it has
   * @param hint what to do about it, where that goes beyond mending the file
   */
  constructor(problem: string | readonly Fault[], hint?: string) {
    const lines = typeof problem === 'string' ? [problem] : problem.map(formatFault)
    super([...lines, ...(hint === undefined ? [] : [hint])].map(printable).join('\n'))
  }
}

/** What can't be applied, said at its places in the file. @param faultAt finds them */
export const toFileError = (
  { findings, hint }: ProvisionError,
  faultAt: (path: Path, reason: string) => Fault,
): ProvisionFileError =>
  new ProvisionFileError(
    findings.map(({ path, reason }) => faultAt(path, reason)),
    hint,
  )
