import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { config, masterKeySchema } from '#lib/platform/config.ts'
import { processState } from '#lib/platform/process-state.ts'

/** Length of a master key, in bytes. */
const LENGTH = 32
const FILE = 'master-key'

/** There is no master key, or it is none. The message is one line, for the operator. */
export class MasterKeyError extends Error {
  override name = 'MasterKeyError'
}

/** Reads the master key in a file. @throws MasterKeyError */
export async function readMasterKeyFile(file: string): Promise<Buffer> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new MasterKeyError(`The master key in ${file} can't be read: ${error.message}`)
  })
  const { success, data, error } = masterKeySchema.safeParse(text)
  if (success) return data
  throw new MasterKeyError(`The master key in ${file} ${error.issues[0]?.message}`)
}

/** Creates the file, complete or not at all: of two processes at one moment, both read what one of them made. */
async function createMasterKeyFile(file: string): Promise<void> {
  const folder = dirname(file)
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
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

async function load(): Promise<Buffer> {
  const { masterKey, masterKeyInDataDir, dataDir } = config()
  if (masterKey) return masterKey
  if (!masterKeyInDataDir) {
    throw new MasterKeyError(
      'PACT_MASTER_KEY is not set: Brands with delegation need it (32 bytes in base64, as `openssl rand -base64 32` makes them)',
    )
  }
  const file = join(resolve(dataDir), FILE)
  if (!(await exists(file))) await createMasterKeyFile(file)
  return readMasterKeyFile(file)
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

/** What may open stored keys: the present master key, then that of `PACT_MASTER_KEY_PREVIOUS`. @throws MasterKeyError */
export async function listMasterKeys(): Promise<Buffer[]> {
  const { previousMasterKey } = config()
  const current = await getMasterKey()
  return previousMasterKey ? [current, previousMasterKey] : [current]
}

/** For tests: the next use reads the configuration again. */
export function forgetMasterKey(): void {
  slot().current = undefined
}
