import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * @param {string} path
 * @returns {string[]} the files at or below `path`, sorted; none when it does not exist
 */
function listFiles(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return []
  if (!stat.isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => listFiles(join(path, name)))
}

/**
 * Hashes what something is made from: the names and contents of files. Tests do not count.
 *
 * @param {string} folder
 * @param {string[]} sources files and folders below `folder`; those that do not exist count as empty
 * @param {string[]} [more] other things that it depends on, e.g. a version
 * @returns {string} in hexadecimal
 */
export function hashSources(folder, sources, more = []) {
  const hash = createHash('sha256').update(JSON.stringify(more))
  for (const source of sources) {
    for (const file of listFiles(join(folder, source))) {
      if (/\.test\.tsx?$/.test(file)) continue
      hash.update(`\0${file.slice(folder.length)}\0`).update(readFileSync(file))
    }
  }
  return hash.digest('hex')
}

/**
 * Makes something unless the stamp that it left the last time still fits.
 *
 * @param {string} stamp the file that keeps the hash; best inside what is made, so that both vanish together
 * @param {string} hash of what it is made from
 * @param {() => Promise<unknown>} make
 * @returns {Promise<boolean>} whether it was made
 */
export async function makeUnlessCurrent(stamp, hash, make) {
  if (isCurrent(stamp, hash)) return false
  rmSync(stamp, { force: true })
  await make()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
  return true
}

/**
 * Whether what left the stamp was made from the same.
 *
 * @param {string} stamp
 * @param {string} hash
 */
export function isCurrent(stamp, hash) {
  try {
    return readFileSync(stamp, 'utf8') === hash
  } catch {
    return false
  }
}
