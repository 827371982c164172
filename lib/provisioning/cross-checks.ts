import type { Finding, Path } from './fault.ts'
import { formatPath } from './fault.ts'
import type { BrandOutline, Outline } from './outline.ts'

type Keyed = readonly (string | undefined)[] | undefined

/** Every entry whose value an earlier one of the list has. */
function findDuplicates(values: Keyed, toPath: (index: number) => Path): Finding[] {
  const first = new Map<string, number>()
  return (values ?? []).flatMap((value, index) => {
    if (value === undefined) return []
    const earlier = first.get(value)
    if (earlier === undefined) {
      first.set(value, index)
      return []
    }
    return [{ path: toPath(index), reason: `${value} is given twice: see ${formatPath(toPath(earlier))}` }]
  })
}

function checkToolScopes(brand: BrandOutline, at: Path): Finding[] {
  // Without delegation there are no scopes; where the list itself makes no sense, nobody knows.
  const scopes = brand.delegation ? brand.delegation.scopes : []
  if (!scopes) return []
  const known = new Set(scopes.map(({ id }) => id))
  return (brand.agent?.tools ?? []).flatMap(({ scope }, index) =>
    scope === undefined || known.has(scope)
      ? []
      : [
          {
            path: [...at, 'agent', 'tools', index, 'scope'],
            reason: `${scope} is not one of the Brand's scopes`,
          },
        ],
  )
}

type ToolOutline = NonNullable<BrandOutline['agent']>['tools'][number]

/** The names that a tool's arguments may have; undefined where its schema leaves that open. */
function knownArguments({ arguments: schema }: ToolOutline): string[] | undefined {
  if (!schema) return []
  const { properties, additionalProperties = false } = schema
  return properties && additionalProperties === false ? Object.keys(properties) : undefined
}

/** The arguments that a call leaves out although the tool requires them, and those that the tool does not know. */
function checkArguments(tool: ToolOutline, given: Record<string, unknown>, at: Path): Finding[] {
  const required = tool.arguments?.required?.filter((name) => name !== undefined) ?? []
  const missing = required.filter((name) => name !== tool.userArgument && !Object.hasOwn(given, name))
  const known = knownArguments(tool)
  const unknown = known ? Object.keys(given).filter((name) => !known.includes(name)) : []
  return [
    ...missing.map((name) => ({ path: at, reason: `the tool ${tool.name} needs the argument ${name}` })),
    ...unknown.map((name) => ({
      path: [...at, 'arguments', name],
      reason: `${name} is not one of the arguments of the tool ${tool.name}`,
    })),
  ]
}

function checkCalls(brand: BrandOutline, at: Path): Finding[] {
  const known = new Map(brand.agent?.tools.map((tool) => [tool.name, tool]))
  return (brand.agent?.rules ?? []).flatMap(({ call }, rule) =>
    (call ?? []).flatMap(({ tool: name, arguments: given }, index) => {
      const path = [...at, 'agent', 'rules', rule, 'call', index]
      if (name === undefined) return []
      const tool = known.get(name)
      if (tool) return checkArguments(tool, given ?? {}, path)
      return [{ path: [...path, 'tool'], reason: `${name} is not one of the Brand's tools` }]
    }),
  )
}

function checkBrand(brand: BrandOutline, at: Path): Finding[] {
  const ids = (list: BrandOutline['skills']) => list?.map(({ id }) => id)
  const names = brand.agent?.tools.map(({ name }) => name)
  const checks = brand.agent?.checks?.map(({ name }) => name)
  return [
    ...findDuplicates(ids(brand.skills), (index) => [...at, 'skills', index, 'id']),
    ...findDuplicates(ids(brand.delegation?.scopes), (index) => [...at, 'delegation', 'scopes', index, 'id']),
    ...findDuplicates(names, (index) => [...at, 'agent', 'tools', index, 'name']),
    ...findDuplicates(checks, (index) => [...at, 'agent', 'checks', index, 'name']),
    ...checkToolScopes(brand, at),
    ...checkCalls(brand, at),
  ]
}

function checkConsole(outline: Outline): Finding[] {
  const users = outline.console?.users ?? []
  const brands = new Set(outline.brands?.map(({ id }) => id))
  const at = (user: number, ...rest: Path) => ['console', 'users', user, ...rest]
  return [
    ...findDuplicates(
      users.map(({ email }) => email),
      (index) => at(index, 'email'),
    ),
    ...users.flatMap(({ roles }, user) => [
      ...findDuplicates(
        roles?.map(({ brand }) => brand),
        (index) => at(user, 'roles', index, 'brand'),
      ),
      ...checkProviderRoles(roles?.map(({ provider }) => provider) ?? [], at(user, 'roles')),
      ...(roles ?? []).flatMap(({ brand }, index) =>
        brand === undefined || brands.has(brand)
          ? []
          : [{ path: at(user, 'roles', index, 'brand'), reason: `Brand ${brand} is not in this file` }],
      ),
    ]),
  ]
}

function checkProviderRoles(roles: readonly (string | undefined)[], at: Path): Finding[] {
  const [, ...more] = [...roles.entries()].filter(([, role]) => role !== undefined)
  return more.map(([index]) => ({
    path: [...at, index, 'provider'],
    reason: 'a user has one role at the Provider',
  }))
}

/** The rules that no single value of the file can break: what must be unique, and what must be there to be referred to. */
export function crossCheck(outline: Outline): Finding[] {
  const brands = outline.brands ?? []
  return [
    ...findDuplicates(
      outline.personalAgents?.map(({ issuer }) => issuer),
      (index) => ['personalAgents', index, 'issuer'],
    ),
    ...findDuplicates(
      brands.map(({ id }) => id),
      (index) => ['brands', index, 'id'],
    ),
    ...findDuplicates(
      brands.map(({ domain }) => domain),
      (index) => ['brands', index, 'domain'],
    ),
    ...brands.flatMap((brand, index) => checkBrand(brand, ['brands', index])),
    ...checkConsole(outline),
  ]
}
