import { config } from '#lib/platform/config.ts'

/** §2.1: the interface URL, to which the operations' paths are relative. Without a trailing slash. */
export function interfaceUrl(brandId: string): string {
  return `${config().providerUrl}/a2a/${brandId}`
}

/** §2.1: where the Provider serves a Brand's Agent Card. */
export function cardUrl(brandId: string): string {
  return `${interfaceUrl(brandId)}/.well-known/agent-card.json`
}
