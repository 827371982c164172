import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** The project's own Node: the one that starts npm may be older. */
export const ownNode = join(root, 'node_modules', '.bin', 'node')
