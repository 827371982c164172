import type { Command } from 'commander'
import { applyMigrations, type MigrationStatus, migrationStatus } from '#lib/platform/migrations.ts'
import { createMigration } from '#lib/platform/schema-drift.ts'
import { withDatabase } from './database-session.ts'
import { OperatorError } from './operator-error.ts'
import { formatTable } from './print.ts'

const states: readonly [keyof MigrationStatus, string][] = [
  ['failed', 'failed'],
  ['edited', 'applied, but the script has changed'],
  ['unknown', 'applied, but unknown to this version'],
  ['applied', 'applied'],
  ['pending', 'pending'],
]

/** Every migration once, by name, with the state that matters most. */
export function formatStatus(status: MigrationStatus): string {
  const found = new Map<string, string>()
  for (const [list, state] of states) {
    for (const name of status[list]) if (!found.has(name)) found.set(name, state)
  }
  const rows = [...found].sort(([a], [b]) => (a < b ? -1 : 1))
  return formatTable(['migration', 'state'], rows)
}

async function printStatus(databaseUrl: string): Promise<void> {
  const status = await migrationStatus(databaseUrl)
  console.log(formatStatus(status))
  if (status.pending.length > 0) console.log('Run `npm run pact -- migrate apply` to apply what is pending.')
}

async function apply(databaseUrl: string): Promise<void> {
  const applied = await applyMigrations(databaseUrl)
  console.log(applied.length > 0 ? applied.map((name) => `Applied ${name}.`).join('\n') : 'Nothing to apply.')
}

async function create(name: string): Promise<void> {
  if (!/[a-z0-9]/i.test(name)) throw new OperatorError('The name must contain a letter or a digit.')
  const path = await createMigration(name)
  console.log(path ? `Created ${path}` : 'The migrations already give the schema: nothing was created.')
}

/** `pact migrate …` */
export function addMigrateCommands(program: Command): void {
  const group = program.command('migrate').description("the database's tables")
  group
    .command('status')
    .description('say which migrations the database has')
    .action(() => withDatabase(printStatus))
  group
    .command('apply')
    .description('apply those that it lacks')
    .action(() => withDatabase(apply))
  group
    .command('new')
    .description('write the migration to prisma/schema.prisma')
    .argument('<name>', 'what it does, e.g. grants')
    .action(create)
}
