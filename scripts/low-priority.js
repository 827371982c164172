import { constants, setPriority } from 'node:os'

/**
 * Gives a program, and what it starts from now on, only the processor time that others leave. Where the system does not
 * allow that, it runs like any other.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
export function lowerPriority({ pid }) {
  try {
    if (pid) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It may have ended already, too.
  }
}
