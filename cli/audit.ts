import { type Command, InvalidArgumentError } from 'commander'
import { type BrokenLink, type ChainPlace, holdsPlace, verifyAudit } from '#lib/access/verify-audit.ts'
import { withMigratedDatabase } from './database-session.ts'
import { OperatorError } from './operator-error.ts'

const reasons: Readonly<Record<BrokenLink['because'], string>> = {
  missing: 'no event has this number',
  unlinked: 'it does not name the event before it',
  changed: 'its content is not what was written',
}

function readPlace(text: string): ChainPlace {
  const [, id, hash] = /^(\d{1,18}):([0-9a-f]{64})$/i.exec(text) ?? []
  if (!id || !hash) throw new InvalidArgumentError('It is an event’s number, a colon and its hash.')
  return { id: BigInt(id), hash: Buffer.from(hash, 'hex') }
}

async function verify({ endsAfter }: { endsAfter?: ChainPlace }): Promise<void> {
  const check = await verifyAudit()
  if (check.broken) {
    const { id, because } = check.broken
    throw new OperatorError(`The audit log is broken at event ${id}: ${reasons[because]}.`)
  }
  if (endsAfter && !(await holdsPlace(endsAfter))) {
    throw new OperatorError(
      `Event ${endsAfter.id} is not there with that hash: the audit log was cut off before it, or written anew.`,
    )
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
  console.log(
    `Keep that elsewhere: --ends-after ${last.id}:${last.hash.toString('hex')} tells later whether events were cut off.`,
  )
}

/** `pact audit …` */
export function addAuditCommands(program: Command): void {
  program
    .command('audit')
    .description('the log of every change and sign-in')
    .command('verify')
    .description('check its chain, and find the first link that does not hold')
    .option('--ends-after <ID:HASH>', 'also check that an event noted before is still there', readPlace)
    .action((options: { endsAfter?: ChainPlace }) => withMigratedDatabase(() => verify(options)))
}
