import { Command } from 'commander'
import { addAdminCommands } from './admin.ts'
import { addAgentCommands } from './agents.ts'
import { addApplyCommand } from './apply.ts'
import { addAuditCommands } from './audit.ts'
import { addBrandCommands } from './brands.ts'
import { addExportCommand } from './export.ts'
import { addKeyCommands } from './keys.ts'
import { addMigrateCommands } from './migrate.ts'
import { describeFailure } from './operator-error.ts'
import { addPersonalAgentCommands } from './personal-agents.ts'
import { addReceiptCommands } from './receipt.ts'

const program = new Command('pact').description("the operator's commands of a PACT Provider")
program.usage('[command]').showHelpAfterError('Add --help for what can be said.')
addApplyCommand(program)
addExportCommand(program)
addPersonalAgentCommands(program)
addBrandCommands(program)
addAgentCommands(program)
addKeyCommands(program)
addAdminCommands(program)
addMigrateCommands(program)
addReceiptCommands(program)
addAuditCommands(program)

// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

try {
  await program.parseAsync()
} catch (failure) {
  console.error(describeFailure(failure))
  process.exitCode = 1
}
