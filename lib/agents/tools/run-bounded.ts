import { createContext, Script } from 'node:vm'

const context: { work(): unknown } = { work: () => undefined }
createContext(context)
const script = new Script('work()')

/**
 * Runs something that does not wait for anything, and ends it where it takes too long: nothing else in this process can.
 * It takes a thread to watch it: 0.1 ms, more on a busy machine.
 *
 * @param timeLimit in milliseconds
 * @returns undefined: it took longer
 * @throws what `work` throws
 */
export function runBounded<T extends object>(work: () => T, timeLimit: number): T | undefined {
  context.work = work
  try {
    return script.runInContext(context, { timeout: timeLimit }) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}
