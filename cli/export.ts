import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { exportProvision } from '#lib/provisioning/export-provision.ts'
import { withMigratedDatabase } from './database-session.ts'
import { OperatorError } from './operator-error.ts'
import { printable } from './print.ts'

async function write(file: string, text: string): Promise<void> {
  // npm runs its scripts in the project's folder, wherever the operator stands.
  const path = resolve(process.env.PACT_CALLER_DIR || '.', file)
  try {
    await writeFile(path, text, { flag: 'wx' })
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    const reason = taken ? 'there is such a file already' : String(error)
    throw new OperatorError(`${printable(file)} can't be written: ${reason}`)
  }
  console.log(`Wrote ${printable(file)}.`)
}

async function exportTo(file: string | undefined): Promise<void> {
  const text = await exportProvision()
  if (file === undefined) process.stdout.write(text)
  else await write(file, text)
}

/** `pact export` */
export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('write the whole Provider as a provision file, without secrets')
    .argument('[file]', 'a file that is not there yet; left out: standard output')
    .action((file: string | undefined) => withMigratedDatabase(() => exportTo(file)))
}
