/**
 * True for a Brand for which something is signed, so that it has keys and publishes them: delegation tokens, receipts and its
 * card (§5), or the calls of its bot.
 */
export function hasSigningKeys({
  delegation,
  agent,
}: {
  delegation?: unknown
  agent: { driver: string }
}): boolean {
  return Boolean(delegation) || agent.driver === 'webhook'
}
