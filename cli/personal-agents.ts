import type { Command } from 'commander'
import {
  addPersonalAgent,
  listPersonalAgents,
  type RegisteredAgent,
  setPersonalAgentEnabled,
} from '#lib/identity/registry-edits.ts'
import { personalAgentSchema } from '#lib/identity/schema.ts'
import { config } from '#lib/platform/config.ts'
import { checkSchema } from '#lib/provisioning/describe-issues.ts'
import { withMigratedDatabase } from './database-session.ts'
import { OperatorError } from './operator-error.ts'
import { formatTable, printable, printJson } from './print.ts'

const stateOf = ({ enabled }: RegisteredAgent) => (enabled ? 'enabled' : 'disabled')

async function list({ json }: { json: boolean }): Promise<void> {
  const agents = await listPersonalAgents()
  if (json) printJson(agents)
  else if (agents.length === 0) console.log('No personal agents. Add one with `pact pa add`.')
  else {
    const rows = agents.map((agent) => [agent.name, agent.issuer, stateOf(agent), agent.origin, agent.id])
    console.log(formatTable(['name', 'issuer', 'state', 'origin', 'id'], rows))
  }
}

type AddOptions = { name: string; issuer: string; jwksUri: string }

const optionOf: Readonly<Record<string, string>> = {
  name: '--name',
  issuer: '--issuer',
  jwksUri: '--jwks-uri',
}

async function add({ name, issuer, jwksUri }: AddOptions): Promise<void> {
  const { allowLoopback } = config()
  const checked = checkSchema(personalAgentSchema({ allowLoopback }), { name, issuer, jwksUri })
  if (!checked.ok) {
    const faults = checked.findings.map(({ path, reason }) => `${optionOf[String(path[0])]} ${reason}`)
    throw new OperatorError(faults.join('\n'))
  }
  await withMigratedDatabase(async () => {
    const addition = await addPersonalAgent(checked.value)
    if (addition.kind === 'already-registered') {
      throw new OperatorError(`A personal agent with the issuer ${printable(issuer)} is already registered.`)
    }
    const { personalAgent } = addition
    console.log(
      `Registered ${printable(personalAgent.issuer)} (${stateOf(personalAgent)}, id ${personalAgent.id}).`,
    )
  })
}

async function setEnabled(issuerOrId: string, enabled: boolean): Promise<void> {
  const result = await setPersonalAgentEnabled(issuerOrId, enabled)
  if (result.kind === 'unknown') {
    throw new OperatorError(`There is no personal agent with the issuer or id ${printable(issuerOrId)}.`)
  }
  const state = `${result.kind === 'unchanged' ? 'already ' : ''}${stateOf(result.personalAgent)}`
  console.log(`${printable(result.personalAgent.issuer)} is ${state}.`)
}

/** `pact pa …` */
export function addPersonalAgentCommands(program: Command): void {
  const group = program.command('pa').description('personal agents that may call')
  group
    .command('list')
    .description('list them, disabled ones too')
    .option('--json', 'print JSON', false)
    .action((options: { json: boolean }) => withMigratedDatabase(() => list(options)))
  group
    .command('add')
    .description('register one')
    .requiredOption('--issuer <url>', 'its exact `iss`')
    .requiredOption('--jwks-uri <url>', 'where it publishes its keys')
    .requiredOption('--name <text>', 'what people read')
    .action(add)
  group
    .command('enable')
    .description('let one in')
    .argument('<issuer-or-id>')
    .action((which: string) => withMigratedDatabase(() => setEnabled(which, true)))
  group
    .command('disable')
    .description('shut one out, at once')
    .argument('<issuer-or-id>')
    .action((which: string) => withMigratedDatabase(() => setEnabled(which, false)))
}
