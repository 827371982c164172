import type { Command } from 'commander'
import { type BrokenLink, verifyAudit } from '#lib/access/verify-audit.ts'
import { withMigratedDatabase } from './database-session.ts'
import { OperatorError } from './operator-error.ts'

const reasons: Readonly<Record<BrokenLink['because'], string>> = {
  missing: 'no event has this number',
  unlinked: 'it does not name the event before it',
  changed: 'its content is not what was written',
}

async function verify(): Promise<void> {
  const check = await verifyAudit()
  if (check.broken) {
    const { id, because } = check.broken
    throw new OperatorError(`The audit log is broken at event ${id}: ${reasons[because]}.`)
  }
  const { checked, last } = check
  if (checked === 0) {
    console.log('The audit log is empty.')
    return
  }
  console.log(
    `The audit log holds: ${checked} ${checked === 1 ? 'event' : 'events'}, none changed or taken out.`,
  )
  console.log(`It ends with event ${last.id}, hash ${last.hash.toString('hex')}.`)
  console.log('Keep that elsewhere: it shows whether later events were cut off.')
}

/** `pact audit …` */
export function addAuditCommands(program: Command): void {
  program
    .command('audit')
    .description('the log of every change and sign-in')
    .command('verify')
    .description('check its chain, and find the first link that does not hold')
    .action(() => withMigratedDatabase(verify))
}
