import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Actor } from '#lib/access/audit.ts'
import { findBrandDetails } from '#lib/brands/brand-details.ts'
import { hasSigningKeys } from '#lib/brands/has-signing-keys.ts'
import {
  JWKS_CACHE_SECONDS,
  type KeyChange,
  type Refusal,
  type SigningKeyState,
  signsFrom,
} from '#lib/keys/lifecycle.ts'
import { type ListedKey, listKeys } from '#lib/keys/list-keys.ts'
import { readMasterKeyFile } from '#lib/keys/master-key.ts'
import { rewrapKeys } from '#lib/keys/rewrap.ts'
import { compromiseKey, KeyRefusalError, retireKey, rotateKey } from '#lib/keys/rotation.ts'
import { now } from '#lib/platform/clock.ts'
import { withMigratedDatabase } from './database-session.ts'
import { OperatorError } from './operator-error.ts'
import { formatTable, printable, printJson } from './print.ts'

const actor: Actor = { kind: 'cli', name: 'pact keys' }

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const timeOf = (milliseconds: number) => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`

/** A duration in the largest unit that it fills, rounded down. */
export function formatAge(milliseconds: number): string {
  const count = (unit: number, name: string) => {
    const whole = Math.max(0, Math.floor(milliseconds / unit))
    return `${whole} ${name}${whole === 1 ? '' : 's'}`
  }
  if (milliseconds >= DAY) return count(DAY, 'day')
  return milliseconds >= HOUR ? count(HOUR, 'hour') : count(MINUTE, 'minute')
}

/** What a key is good for in its state. */
function describeUse({ state, createdAt, retiredAt, endedAt }: ListedKey): string {
  switch (state) {
    case 'next':
      return `nothing yet: published, may sign from ${timeOf(signsFrom({ createdAt: createdAt.getTime() }))}`
    case 'active':
      return 'signs: delegation tokens, receipts, the card'
    case 'retired':
      return `what it signed until ${retiredAt ? timeOf(retiredAt.getTime()) : 'it retired'}`
    default:
      return `nothing since ${endedAt ? timeOf(endedAt.getTime()) : 'it ended'}`
  }
}

async function list(brandId: string | undefined, { json }: { json: boolean }): Promise<void> {
  const keys = await listKeys(brandId?.toUpperCase())
  if (json) printJson(keys)
  else if (keys.length === 0)
    console.log('No signing keys. A Brand with delegation gets its first by itself.')
  else {
    const rows = keys.map((key) => [
      key.brandName,
      key.brandId,
      key.kid,
      key.state,
      formatAge(now() - key.createdAt.getTime()),
      describeUse(key),
    ])
    console.log(formatTable(['brand', 'brand id', 'kid', 'state', 'age', 'verifies'], rows))
  }
}

const deeds: Readonly<Record<SigningKeyState, string>> = {
  next: 'is published, and does not sign yet',
  active: 'signs now',
  retired: 'signs no more, and still verifies what it signed',
  removed: 'is removed: it verifies nothing any more',
  compromised: 'is compromised: it verifies nothing any more, in every process within a second',
}

function printChanges(changes: readonly KeyChange[]): void {
  for (const { kid, from, to } of changes) {
    console.log(`${from ? 'Key' : 'New key'} ${kid} ${deeds[to]}.`)
  }
}

function describeRefusal(kid: string, refusal: Refusal): string {
  const key = `The signing key ${printable(kid)}`
  switch (refusal.because) {
    case 'unknown-key':
      return `There is no signing key ${printable(kid)}: see \`pact keys list\`.`
    case 'ended':
      return `${key} is ${refusal.state} already.`
    case 'no-successor':
      return `${key} is active, and no other may sign yet: run \`pact keys rotate\` first.`
    case 'needed':
      return refusal.until === undefined
        ? `${key} is still needed: receipts that it may have signed are kept.`
        : `${key} is still needed: tokens that it signed are valid until ${timeOf(refusal.until)}.`
  }
}

async function rotate(id: string, { now: force }: { now: boolean }): Promise<void> {
  const brand = await findBrandDetails(id.toUpperCase())
  if (!brand) throw new OperatorError(`There is no Brand with the id ${printable(id)}.`)
  if (!hasSigningKeys(brand)) {
    throw new OperatorError(`${printable(brand.name)} has no delegation: nothing is signed for it.`)
  }
  const { changes, waiting } = await rotateKey(brand.id, { force }, actor)
  printChanges(changes)
  if (waiting) {
    console.log(
      `Key ${waiting.kid} may sign from ${timeOf(waiting.signsFrom)}: others use their copy of the key set for ` +
        `${JWKS_CACHE_SECONDS} seconds. A running Provider then lets it sign by itself; so does this command.`,
    )
  }
  if (force) {
    console.log(
      `Whoever has a copy of the key set from before may refuse the new key for ${JWKS_CACHE_SECONDS} seconds.`,
    )
  }
}

async function change(kid: string, work: (kid: string, actor: Actor) => Promise<KeyChange[]>): Promise<void> {
  try {
    printChanges(await work(kid, actor))
  } catch (error) {
    if (!(error instanceof KeyRefusalError)) throw error
    throw new OperatorError(describeRefusal(kid, error.refusal))
  }
}

async function rewrap({ previousFile }: { previousFile?: string }): Promise<void> {
  // npm runs its scripts in the project's folder, wherever the operator stands.
  const at = (file: string) => resolve(process.env.PACT_CALLER_DIR ?? '.', file)
  const previous = previousFile === undefined ? undefined : await readMasterKeyFile(at(previousFile))
  const { rewrapped, unchanged } = await rewrapKeys(previous)
  console.log(`${rewrapped} sealed under the present master key, ${unchanged} were already.`)
}

// None that is made now begins so.
const kidHint = 'as `keys list` shows it; one that begins with a hyphen stands behind --'

/** `pact keys …` */
export function addKeyCommands(program: Command): void {
  const group = program.command('keys').description("Brands' signing keys: for tokens, receipts and cards")
  group
    .command('list')
    .description('list them, those that have ended too')
    .argument('[brand]', 'the id of one Brand')
    .option('--json', 'print JSON', false)
    .action((brand: string | undefined, options: { json: boolean }) =>
      withMigratedDatabase(() => list(brand, options)),
    )
  group
    .command('rotate')
    .description('publish the next key, and let it sign once everyone can know it')
    .argument('<brand>', "the Brand's id")
    .option('--now', 'let it sign at once, for emergencies', false)
    .action((brand: string, options: { now: boolean }) => withMigratedDatabase(() => rotate(brand, options)))
  group
    .command('retire')
    .description('take one out of service, as far as no request fails')
    .argument('<kid>', kidHint)
    .action((kid: string) => withMigratedDatabase(() => change(kid, retireKey)))
  group
    .command('compromise')
    .description('end one that others may have, at once')
    .argument('<kid>', kidHint)
    .action((kid: string) => withMigratedDatabase(() => change(kid, compromiseKey)))
  group
    .command('rewrap')
    .description('seal the private keys under the present PACT_MASTER_KEY')
    .option('--previous-file <file>', 'where the former master key is, if not in PACT_MASTER_KEY_PREVIOUS')
    .action((options: { previousFile?: string }) => withMigratedDatabase(() => rewrap(options)))
}
