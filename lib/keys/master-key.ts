import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { config } from '#lib/platform/config.ts'
import { processState } from '#lib/platform/process-state.ts'

/** Length of a master key, in bytes. */
const LENGTH = 32
const FILE = 'master-key'

/** There is no master key, or it is none. The message is one line, for the operator. */
export class MasterKeyError extends Error {
  override name = 'MasterKeyError'
}

/**
 * Reads a master key as operators write it: 32 bytes in base64.
 *
 * @param source what the text stands in, as the operator knows it
 * @throws MasterKeyError
 */
export function parseMasterKey(text: string, source: string): Buffer {
  const bytes = Buffer.from(text.trim(), 'base64')
  // Node skips characters that are no base64: only a text that comes out the same was a key.
  const isBase64 = bytes.toString('base64').replace(/=+$/, '') === text.trim().replace(/=+$/, '')
  if (bytes.length === LENGTH && isBase64) return bytes
  throw new MasterKeyError(`${source} must be 32 bytes in base64, as \`openssl rand -base64 32\` makes them`)
}

/** Reads the master key in a file. @throws MasterKeyError */
export async function readMasterKeyFile(file: string): Promise<Buffer> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new MasterKeyError(`The master key in ${file} can't be read: ${error.message}`)
  })
  return parseMasterKey(text, file)
}

/** Creates the file, complete or not at all: of two processes at one moment, both read what one of them made. */
async function obtainMasterKeyFile(dataDir: string): Promise<Buffer> {
  const folder = resolve(dataDir)
  const file = join(folder, FILE)
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `new-${FILE}-${randomUUID()}`)
  try {
    await writeFile(draft, `${randomBytes(LENGTH).toString('base64')}\n`, { mode: 0o600, flush: true })
    await link(draft, file).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  return readMasterKeyFile(file)
}

async function load(): Promise<Buffer> {
  const { masterKey, masterKeyInDataDir, dataDir } = config()
  if (masterKey !== undefined) return parseMasterKey(masterKey, 'PACT_MASTER_KEY')
  if (masterKeyInDataDir) return readOrCreate(dataDir)
  throw new MasterKeyError(
    'PACT_MASTER_KEY is not set: Brands with delegation need it (32 bytes in base64, as `openssl rand -base64 32` makes them)',
  )
}

async function readOrCreate(dataDir: string): Promise<Buffer> {
  return readFile(join(resolve(dataDir), FILE), 'utf8').then(
    (text) => parseMasterKey(text, join(dataDir, FILE)),
    (error) => {
      if (error.code === 'ENOENT') return obtainMasterKeyFile(dataDir)
      throw new MasterKeyError(`The master key in ${join(dataDir, FILE)} can't be read: ${error.message}`)
    },
  )
}

function slot() {
  return processState('master-key', () => ({ current: undefined as Promise<Buffer> | undefined }))
}

/**
 * The key under which private keys are sealed: `PACT_MASTER_KEY`, or the file in `DATA_DIR`, which is created at first.
 *
 * @throws MasterKeyError when it must be given and is not, or is no key
 */
export function getMasterKey(): Promise<Buffer> {
  const state = slot()
  state.current ??= load().catch((error) => {
    state.current = undefined
    throw error
  })
  return state.current
}

/** The keys that may open what is stored: the present one, then that of `PACT_MASTER_KEY_PREVIOUS`. @throws MasterKeyError */
export async function listMasterKeys(): Promise<Buffer[]> {
  const { previousMasterKey: previous } = config()
  const current = await getMasterKey()
  return previous === undefined ? [current] : [current, parseMasterKey(previous, 'PACT_MASTER_KEY_PREVIOUS')]
}

/** For tests: the next use reads the configuration again. */
export function forgetMasterKey(): void {
  slot().current = undefined
}
