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
 * With which the Provider runs, `npm start` as `npm run bench`. Where there is much memory, V8 lets a heap grow to several
 * times what lives in it before it collects, and gains nothing by it here. In MiB: for objects that live for a moment, and the
 * most for all others.
 */
export const providerFlags = ['--max-semi-space-size=16', '--max-old-space-size=1024']
