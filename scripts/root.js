import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/**
 * Where Node keeps what it has compiled, for processes of the product: each that starts later takes half the time.
 *
 * @type {Record<string, string>}
 */
export const compileCache = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'node'),
}

/** The project's own Node: the one that starts npm may be older. */
export const ownNode = join(root, 'node_modules', '.bin', 'node')

/**
 * With which the Provider runs, `npm start` as `npm run bench`. Where there is much memory, V8 would give four times as much
 * to objects that live for a moment, and gain nothing by it here. In MiB.
 */
export const providerFlags = ['--max-semi-space-size=16']
