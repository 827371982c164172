import type { Command } from 'commander'
import { cardUrl } from '#lib/brands/addresses.ts'
import { type BrandDetails, findBrandDetails, listAllBrands } from '#lib/brands/brand-details.ts'
import { withMigratedDatabase } from './database-session.ts'
import { OperatorError } from './operator-error.ts'
import { formatColumns, formatTable, printable, printJson } from './print.ts'

const stateOf = ({ enabled }: { enabled: boolean }) => (enabled ? 'enabled' : 'disabled')

async function list({ json }: { json: boolean }): Promise<void> {
  const brands = await listAllBrands()
  if (json) printJson(brands)
  else if (brands.length === 0) console.log('No Brands. Apply a provision file with `pact apply`.')
  else {
    const rows = brands.map((brand) => [
      brand.name,
      brand.id,
      stateOf(brand),
      brand.domain ?? '-',
      cardUrl(brand.id),
    ])
    console.log(formatTable(['name', 'id', 'state', 'domain', 'card'], rows))
  }
}

function whatAnswers(agent: BrandDetails['agent']): string {
  if (agent.driver === 'scripted') return `${agent.rules.length} rules`
  return printable(agent.driver === 'llm' ? agent.model : agent.url)
}

function describeAgent(agent: BrandDetails['agent']): string {
  return `${agent.driver}, ${whatAnswers(agent)}, ${agent.timeLimitSeconds} seconds a turn`
}

function formatFacts(brand: BrandDetails): string {
  const { agent, delegation } = brand
  const login = delegation
    ? [
        ['login', delegation.login.url],
        ['login issuer', delegation.login.issuer],
        ['login keys', delegation.login.jwksUri],
        ['after consent', delegation.login.afterConsentUrl ?? '-'],
        ['grants', `for ${delegation.grantDays} days`],
        [
          'signing key',
          brand.rotateEveryDays === null ? 'until it is rotated' : `for ${brand.rotateEveryDays} days`,
        ],
      ]
    : [['login', 'none: PACT Identity only']]
  const facts = [
    ['id', brand.id],
    ['description', brand.description],
    ['state', stateOf(brand)],
    ['domain', brand.domain ?? '-'],
    ['card', brand.cardUrl],
    ['conversations', `close after ${brand.idleHours} hours of silence`],
    ['agent', describeAgent(agent)],
    ...login,
    ['created', brand.createdAt.toISOString()],
    ['changed', brand.updatedAt.toISOString()],
  ]
  return formatColumns(facts, '  ')
}

function formatSection(title: string, rows: string[][]): string {
  return rows.length > 0 ? `\n\n${title}\n${formatColumns(rows, '  ')}` : ''
}

/** A Brand as a person reads it. */
export function formatBrand(brand: BrandDetails): string {
  const tools = brand.tools.map(({ name, scopeId, changes, request, description }) => {
    const { method, url } = request as { method: string; url: string }
    const needs = scopeId ? `needs ${scopeId}` : 'needs no scope'
    return [name, needs, changes ? 'changes' : 'reads', method, url, description]
  })
  return [
    `${printable(brand.name)}\n`,
    formatFacts(brand),
    formatSection(
      'Skills',
      brand.skills.map(({ id, name, description }) => [id, name, description]),
    ),
    formatSection(
      'Scopes',
      brand.scopes.map(({ id, description }) => [id, description]),
    ),
    formatSection('Tools', tools),
    formatSection(
      'Console users',
      brand.consoleUsers.map(({ email, role }) => [email, role]),
    ),
  ].join('')
}

async function show(id: string, { json }: { json: boolean }): Promise<void> {
  const brand = await findBrandDetails(id.toUpperCase())
  if (!brand) throw new OperatorError(`There is no Brand with the id ${printable(id)}.`)
  if (json) printJson(brand)
  else console.log(formatBrand(brand))
}

/** `pact brand …` */
export function addBrandCommands(program: Command): void {
  const group = program.command('brand').description('Brands that are hosted here')
  group
    .command('list')
    .description('list them, disabled ones too')
    .option('--json', 'print JSON', false)
    .action((options: { json: boolean }) => withMigratedDatabase(() => list(options)))
  group
    .command('show')
    .description('show all that is known of one')
    .argument('<id>')
    .option('--json', 'print JSON', false)
    .action((id: string, options: { json: boolean }) => withMigratedDatabase(() => show(id, options)))
}
