import { Command, CommanderError } from 'commander'
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

/**
 * Runs one of the operator's commands, which tells on standard output what it has done, and on standard error what is wrong.
 *
 * @param args as they stand behind `pact`
 * @returns the code with which the process is to end
 */
export async function runCommand(args: readonly string[]): Promise<number> {
  const program = new Command('pact').description("the operator's commands of a PACT Provider")
  program.usage('[command]').showHelpAfterError('Add --help for what can be said.').exitOverride()
  try {
    for (const load of findLoaders(args[0])) (await load())(program)
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (failure) {
    // What is wrong with the arguments has been said.
    if (failure instanceof CommanderError) return failure.exitCode
    console.error(describeFailure(failure))
    return 1
  }
}
