import type { Actor, AuditEntry } from '#lib/access/audit.ts'

type PublishedBy = { id: string; name: string }

function subjectOf({ id, name }: PublishedBy, version: number | undefined): string {
  return `${name} (${id})${version === undefined ? '' : `: version ${version}`}`
}

/** The audit log's word on a draft that answers from now on: every check of its Brand has passed. */
export function notePublished(actor: Actor, brand: PublishedBy, version: number): AuditEntry {
  return { actor, brandId: brand.id, action: 'agent.publish', subject: subjectOf(brand, version) }
}

/**
 * The audit log's word on an agent that answers though not every check of its Brand has passed; none where each has.
 *
 * @param which.failed the names of those that did not pass
 * @param which.notRun the names of those that could not be run
 * @param which.version the version of the agent that is made with it
 */
export function noteDespiteChecks(
  actor: Actor,
  brand: PublishedBy,
  { version, ...which }: { failed?: readonly string[]; notRun?: readonly string[]; version?: number },
): AuditEntry[] {
  const named = Object.entries(which).filter(([, names]) => names.length > 0)
  if (named.length === 0) return []
  return [
    {
      actor,
      brandId: brand.id,
      action: 'agent.publish-despite-checks',
      subject: subjectOf(brand, version),
      after: Object.fromEntries(named),
    },
  ]
}
