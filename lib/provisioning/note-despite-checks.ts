import type { Actor, AuditEntry } from '#lib/access/audit.ts'

/**
 * The audit log's word on an agent that answers though not every check of its Brand has passed; none where each has.
 *
 * @param which.failed the names of those that did not pass
 * @param which.notRun the names of those that could not be run
 * @param which.version the version of the agent that is made with it
 */
export function noteDespiteChecks(
  actor: Actor,
  { id, name }: { id: string; name: string },
  { version, ...which }: { failed?: readonly string[]; notRun?: readonly string[]; version?: number },
): AuditEntry[] {
  const named = Object.entries(which).filter(([, names]) => names.length > 0)
  if (named.length === 0) return []
  const subject = `${name} (${id})${version === undefined ? '' : `: version ${version}`}`
  return [
    { actor, brandId: id, action: 'agent.publish-despite-checks', subject, after: Object.fromEntries(named) },
  ]
}
