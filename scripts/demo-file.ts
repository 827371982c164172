import { join } from 'node:path'
import type { DemoPorts } from './demo-programs.ts'
import { makeUnlessCurrent } from './stamp.js'

/** The demo's provision file. Whole: it is found wherever the operator stands. */
export const demoFile = join(import.meta.dirname, '..', 'examples', 'demo.yaml')

/**
 * Applies the demo's provision file where the embedded database has not got it yet, or has it with its programs at other
 * ports. What people have changed in the console since is theirs: a start never undoes it.
 *
 * @param dataDir where the embedded database is; it is there already
 * @returns whether it was applied
 */
export function applyDemoOnce(
  dataDir: string,
  ports: DemoPorts,
  apply: () => Promise<unknown>,
): Promise<boolean> {
  // Beside the data, so that both vanish together.
  return makeUnlessCurrent(join(dataDir, 'postgres', 'demo-ports'), JSON.stringify(ports), apply)
}
