import type { Check } from '#lib/agents/checks/schema.ts'
import { mayChange, type WrittenTool, withoutSecret } from '#lib/agents/tools/schema.ts'
import type { BrandSettings } from '#lib/brands/schema.ts'
import { withdrawRemovedScope } from '#lib/delegation/removed-scope.ts'
import { type AgentSecret, Prisma } from '#prisma/generated/client.ts'
import { type Step, toJson } from './change.ts'
import { type PartTable, planParts } from './plan-parts.ts'

export type StoredParts = Prisma.BrandGetPayload<{
  include: { skills: true; scopes: true; tools: true; agentChecks: true }
}> & {
  /** By name. */
  secrets: ReadonlyMap<string, AgentSecret>
}

type SkillRow = Omit<StoredParts['skills'][number], 'brandId' | 'id'>
type ScopeRow = Omit<StoredParts['scopes'][number], 'brandId' | 'id'>
type CheckRow = ReturnType<typeof toCheckRow>
type ToolRow = ReturnType<typeof toToolRow>

function toToolRow(written: WrittenTool, position: number) {
  const settings = withoutSecret(written)
  const { description, scope, userArgument, ...tool } = settings
  return {
    position,
    description,
    scopeId: scope ?? null,
    changes: mayChange(settings),
    arguments: tool.arguments ? toJson(tool.arguments) : null,
    userArgument: userArgument ?? null,
    request: toJson(tool.request),
  }
}

function toCheckRow({ name: _name, ...example }: Check, position: number) {
  return { position, example: toJson(example) }
}

function skillTable(brandId: string): PartTable<SkillRow> {
  const where = (id: string) => ({ brandId_id: { brandId, id } })
  return {
    kind: 'skill',
    create: ({ skill }, id, row) => skill.create({ data: { brandId, id, ...row } }),
    update: ({ skill }, id, row) => skill.update({ where: where(id), data: row }),
    remove: ({ skill }, id) => skill.delete({ where: where(id) }),
  }
}

function scopeTable(brandId: string): PartTable<ScopeRow> {
  const where = (id: string) => ({ brandId_id: { brandId, id } })
  return {
    kind: 'scope',
    create: ({ scope }, id, row) => scope.create({ data: { brandId, id, ...row } }),
    update: ({ scope }, id, row) => scope.update({ where: where(id), data: row }),
    remove: async (transaction, id) => {
      await transaction.scope.delete({ where: where(id) })
      await withdrawRemovedScope(transaction, brandId, id)
    },
  }
}

function toolTable(brandId: string): PartTable<ToolRow> {
  const where = (name: string) => ({ brandId_name: { brandId, name } })
  const toData = (row: ToolRow) => ({ ...row, arguments: row.arguments ?? Prisma.DbNull })
  return {
    kind: 'tool',
    create: ({ tool }, name, row) => tool.create({ data: { brandId, name, ...toData(row) } }),
    update: ({ tool }, name, row) => tool.update({ where: where(name), data: toData(row) }),
    remove: ({ tool }, name) => tool.delete({ where: where(name) }),
  }
}

function checkTable(brandId: string): PartTable<CheckRow> {
  const where = (name: string) => ({ brandId_name: { brandId, name } })
  return {
    kind: 'check',
    create: ({ agentCheck }, name, row) => agentCheck.create({ data: { brandId, name, ...row } }),
    update: ({ agentCheck }, name, row) => agentCheck.update({ where: where(name), data: row }),
    remove: ({ agentCheck }, name) => agentCheck.delete({ where: where(name) }),
  }
}

function storedRows(stored: StoredParts | undefined) {
  return {
    skills: new Map(stored?.skills.map(({ brandId: _brand, id, ...row }) => [id, row])),
    scopes: new Map(stored?.scopes.map(({ brandId: _brand, id, ...row }) => [id, row])),
    checks: new Map(
      stored?.agentChecks.map(({ name, position, example }) => [
        name,
        { position, example: example as CheckRow['example'] },
      ]),
    ),
    tools: new Map(
      stored?.tools.map(({ brandId: _brand, name, ...row }) => [
        name,
        {
          ...row,
          arguments: row.arguments as ToolRow['arguments'],
          request: row.request as ToolRow['request'],
        },
      ]),
    ),
  }
}

/** What makes a Brand's skills, scopes, tools and checks exactly those of the file, in the file's order. */
export function planBrandParts(settings: BrandSettings, stored: StoredParts | undefined): Step[] {
  const { id: brandId, name } = settings
  const rows = storedRows(stored)
  const skills = settings.skills.map(({ id, ...row }, position) => [id, { position, ...row }] as const)
  const scopes = settings.delegation?.scopes.map(
    ({ id, description }, position) => [id, { position, description }] as const,
  )
  const tools = settings.agent.tools.map((tool, position) => [tool.name, toToolRow(tool, position)] as const)
  const checks = settings.agent.checks.map(
    (check, position) => [check.name, toCheckRow(check, position)] as const,
  )
  return [
    ...planParts(name, skillTable(brandId), rows.skills, new Map(skills)),
    ...planParts(name, scopeTable(brandId), rows.scopes, new Map(scopes)),
    ...planParts(name, toolTable(brandId), rows.tools, new Map(tools)),
    ...planParts(name, checkTable(brandId), rows.checks, new Map(checks)),
  ]
}
