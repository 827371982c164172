import type { Command } from 'commander'
import type { Actor } from '#lib/access/audit.ts'
import { config } from '#lib/platform/config.ts'
import { announceChecks, applyChecked } from '#lib/provisioning/apply-checked.ts'
import { ProvisionError } from '#lib/provisioning/apply-provision.ts'
import type { Change } from '#lib/provisioning/change.ts'
import { loadProvision } from '#lib/provisioning/provision-file.ts'
import { toFileError } from '#lib/provisioning/provision-file-error.ts'
import { withMigratedDatabase } from './database-session.ts'
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

type Options = { dryRun: boolean; despiteChecks: boolean }

async function apply(file: string, options: Options): Promise<void> {
  const { provision, faultAt } = await loadProvision(file, { allowLoopback: config().allowLoopback })
  await withMigratedDatabase(async () => {
    try {
      const onChecks = (...run: [string, number]) => console.log(announceChecks(...run))
      const actor: Actor = { kind: 'cli', name: 'pact apply' }
      print(await applyChecked(provision, { ...options, actor, onChecks }), options.dryRun)
    } catch (error) {
      if (!(error instanceof ProvisionError)) throw error
      throw toFileError(error, faultAt)
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
    .option(
      '--despite-checks',
      'apply though checks of a Brand’s agent fail; the audit log says which',
      false,
    )
    .action(apply)
}
