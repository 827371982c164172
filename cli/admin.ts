import type { Command } from 'commander'
import { recoverUser } from '#lib/access/recover-user.ts'
import { config } from '#lib/platform/config.ts'
import { withMigratedDatabase } from './database-session.ts'
import { OperatorError } from './operator-error.ts'
import { printable } from './print.ts'

async function recover(email: string, options: { resetSecondFactor: boolean }): Promise<void> {
  const name = printable(email)
  const recovery = await recoverUser(email, options, { kind: 'cli', name: 'pact admin recover' })
  if (recovery.kind === 'unknown') throw new OperatorError(`There is no console user ${name}.`)
  if (recovery.kind === 'disabled') {
    throw new OperatorError(`${name} is disabled: an admin can enable them again under Members.`)
  }
  console.log(`One-time password of ${name}: ${recovery.password}`)
  console.log(
    `Sign in at ${config().providerUrl}/admin. The password is changed there; other sessions have ended.`,
  )
  if (recovery.secondFactorLeft) {
    console.log(
      'The second factor is still asked for. If it is lost, run this again with --reset-second-factor.',
    )
  }
}

/** `pact admin …` */
export function addAdminCommands(program: Command): void {
  const group = program.command('admin').description('who may use the console')
  group
    .command('recover')
    .description('let somebody in who is locked out: prints a one-time password')
    .argument('<email>', 'a console user')
    .option('--reset-second-factor', 'also remove authenticator app, passkeys and recovery codes', false)
    .action((email: string, options: { resetSecondFactor: boolean }) =>
      withMigratedDatabase(() => recover(email, options)),
    )
}
