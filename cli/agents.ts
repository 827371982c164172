import type { Command } from 'commander'
import type { Actor } from '#lib/access/audit.ts'
import type { CheckResult } from '#lib/agents/checks/run-checks.ts'
import { checkPublishedAgent } from '#lib/provisioning/check-published-agent.ts'
import { withMigratedDatabase } from './database-session.ts'
import { OperatorError } from './operator-error.ts'
import { printable, printJson } from './print.ts'

const actor: Actor = { kind: 'cli', name: 'pact agent check' }

function formatResult({ name, passed, turns }: CheckResult): string {
  const faults = turns.flatMap(({ say, faults: found }) =>
    found.map((fault) => `    ${printable(say.slice(0, 60))}: ${printable(fault)}`),
  )
  const why = turns.length === 0 ? ['    there was no time to run it'] : faults
  return [`${passed ? 'passed' : 'FAILED'}  ${printable(name)}`, ...(passed ? [] : why)].join('\n')
}

async function check(brandId: string, { json }: { json: boolean }): Promise<void> {
  const results = await checkPublishedAgent(brandId.toUpperCase(), actor)
  if (!results) throw new OperatorError(`There is no Brand with the id ${printable(brandId)}.`)
  if (json) printJson(results)
  else for (const result of results) console.log(formatResult(result))
  const failed = results.filter(({ passed }) => !passed).length
  if (failed > 0) throw new OperatorError(`${failed} of ${results.length} checks failed.`)
  if (!json)
    console.log(results.length === 0 ? 'The Brand has no checks.' : `All ${results.length} checks passed.`)
}

/** `pact agent …` */
export function addAgentCommands(program: Command): void {
  const group = program.command('agent').description('Brands’ agents')
  group
    .command('check')
    .description('run a Brand’s checks against its agent; a bot is really called, the Brand’s API is not')
    .argument('<brand>', 'the Brand’s id')
    .option('--json', 'print JSON', false)
    .action((id: string, options: { json: boolean }) => withMigratedDatabase(() => check(id, options)))
}
