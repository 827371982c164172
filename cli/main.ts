import { Command } from 'commander'
import { describeFailure } from './operator-error.ts'

/** Each command, and the module that adds it: only what was asked for is loaded, or each call would wait for all of them. */
const commands: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  apply: async () => (await import('./apply.ts')).addApplyCommand,
  export: async () => (await import('./export.ts')).addExportCommand,
  pa: async () => (await import('./personal-agents.ts')).addPersonalAgentCommands,
  brand: async () => (await import('./brands.ts')).addBrandCommands,
  agent: async () => (await import('./agents.ts')).addAgentCommands,
  keys: async () => (await import('./keys.ts')).addKeyCommands,
  admin: async () => (await import('./admin.ts')).addAdminCommands,
  migrate: async () => (await import('./migrate.ts')).addMigrateCommands,
  receipt: async () => (await import('./receipt.ts')).addReceiptCommands,
  audit: async () => (await import('./audit.ts')).addAuditCommands,
}

/** The one command that the arguments begin with; all, where help is asked for or no such command is known. */
function findLoaders(asked = '') {
  const loader = Object.hasOwn(commands, asked) ? commands[asked] : undefined
  return loader ? [loader] : Object.values(commands)
}

// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

const program = new Command('pact').description("the operator's commands of a PACT Provider")
program.usage('[command]').showHelpAfterError('Add --help for what can be said.')
try {
  for (const load of findLoaders(process.argv[2])) (await load())(program)
  await program.parseAsync()
} catch (failure) {
  console.error(describeFailure(failure))
  process.exitCode = 1
}
