import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ProvisionFileError } from './provision-file-error.ts'
import { type ReadProvision, readProvision } from './read-provision.ts'

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this account may not read it',
}

async function readText(file: string): Promise<string> {
  // npm runs its scripts in the project's folder, wherever the operator stands.
  const path = resolve(process.env.PACT_CALLER_DIR || '.', file)
  const bytes = await readFile(path).catch((error: Error & { code?: string }) => {
    throw new ProvisionFileError(`${file} can't be read: ${reasons[error.code ?? ''] ?? error.message}`)
  })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ProvisionFileError(`${file} can't be read: it is not text in UTF-8`)
  }
}

/**
 * Reads a provision file from disk.
 *
 * @param file its path, relative to where the operator stands (`PACT_CALLER_DIR`)
 * @param options.allowLoopback whether URLs may point to this machine
 * @param options.adapt changes its text before it is understood
 * @throws ProvisionFileError when it can't be read, or has faults
 */
export async function loadProvision(
  file: string,
  { allowLoopback, adapt = (text) => text }: { allowLoopback: boolean; adapt?: (text: string) => string },
): Promise<Extract<ReadProvision, { ok: true }>> {
  const read = readProvision(adapt(await readText(file)), { file, allowLoopback })
  if (!read.ok) throw new ProvisionFileError(read.faults)
  return read
}
