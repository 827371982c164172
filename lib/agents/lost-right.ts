import type { Access } from './agent.ts'
import type { Tool } from './tools/tool.ts'

/** Why a tool may not be called at this moment (§5.5). */
export type LostRight = 'scope-missing' | 'token-ended'

/**
 * Looks whether a tool may be called at this moment: much may have been taken back since the turn began. It is asked before
 * each call.
 *
 * @param access undefined under §3: then only what needs no scope may be called
 */
export async function findLostRight(
  { scope }: Pick<Tool, 'scope'>,
  access: Access | undefined,
): Promise<LostRight | undefined> {
  const scopes = access ? await access.scopesNow() : new Set<string>()
  if (!scopes) return 'token-ended'
  return scope === undefined || scopes.has(scope) ? undefined : 'scope-missing'
}
