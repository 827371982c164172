import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { config } from '#lib/platform/config.ts'
import { applyProvision, ProvisionError } from '#lib/provisioning/apply-provision.ts'
import type { Change } from '#lib/provisioning/change.ts'
import { formatFault } from '#lib/provisioning/fault.ts'
import { type ReadProvision, readProvision } from '#lib/provisioning/read-provision.ts'
import { withMigratedDatabase } from './database-session.ts'
import { OperatorError } from './operator-error.ts'
import { formatColumns, printable } from './print.ts'

const MAX_VALUE = 80

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  if (Array.isArray(value)) return value.length === 1 ? '1 entry' : `${value.length} entries`
  const text = printable(JSON.stringify(value))
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text
}

/** What applying changes, a line each, and below an update what differs. */
export function formatChanges(changes: readonly Change[]): string {
  const heads = formatColumns(changes.map(({ action, kind, name }) => [action, kind, name])).split('\n')
  return changes
    .flatMap(({ fields = [] }, index) => [
      heads[index] ?? '',
      ...fields.map(
        ({ field, before, after }) =>
          `    ${printable(field)}: ${formatValue(before)} → ${formatValue(after)}`,
      ),
    ])
    .join('\n')
}

function print(changes: readonly Change[], dryRun: boolean): void {
  if (changes.length === 0) {
    console.log('No changes.')
    return
  }
  const count = changes.length === 1 ? '1 change' : `${changes.length} changes`
  console.log(formatChanges(changes))
  console.log(dryRun ? `${count}, not made: this was a dry run.` : `${count} made.`)
}

async function readText(file: string): Promise<string> {
  // npm runs its scripts in the project's folder, wherever the operator stands.
  const path = resolve(process.env.PACT_CALLER_DIR ?? '.', file)
  const bytes = await readFile(path).catch((error: Error & { code?: string }) => {
    const reasons: Record<string, string> = { ENOENT: 'there is no such file', EISDIR: 'it is a folder' }
    throw new OperatorError(`${printable(file)} can't be read: ${reasons[error.code ?? ''] ?? error.message}`)
  })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new OperatorError(`${printable(file)} can't be read: it is not text in UTF-8`)
  }
}

async function read(file: string): Promise<Extract<ReadProvision, { ok: true }>> {
  const { allowLoopback } = config()
  const provision = readProvision(await readText(file), { file, allowLoopback })
  if (provision.ok) return provision
  throw new OperatorError(provision.faults.map((fault) => printable(formatFault(fault))).join('\n'))
}

async function apply(file: string, { dryRun }: { dryRun: boolean }): Promise<void> {
  const { provision, faultAt } = await read(file)
  await withMigratedDatabase(async () => {
    try {
      print(await applyProvision(provision, { dryRun }), dryRun)
    } catch (error) {
      if (!(error instanceof ProvisionError)) throw error
      const faults = error.findings.map(({ path, reason }) => formatFault(faultAt(path, reason)))
      throw new OperatorError(faults.map(printable).join('\n'))
    }
  })
}

/** `pact apply` */
export function addApplyCommand(program: Command): void {
  program
    .command('apply')
    .description('make the Provider as a provision file says')
    .argument('<file>', 'the provision file (YAML)')
    .option('--dry-run', 'say what would change, and change nothing', false)
    .action(apply)
}
