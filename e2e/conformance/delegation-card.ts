import { at, isRecord } from './wire.ts'

/** What a card says of delegated authority (§5.1). */
export type OfferedDelegation = {
  /** The name of its security scheme on the card. */
  scheme: string
  deviceAuthorizationUrl: string
  tokenUrl: string
  metadataUrl: string
  /** Scope ids, in the card's order. */
  scopes: string[]
}

/** Finds the `oauth2SecurityScheme` with a `deviceCode` flow; undefined when the Brand offers no delegation. */
export function findOfferedDelegation(card: unknown): OfferedDelegation | undefined {
  const schemes = at(card, 'securitySchemes')
  if (!isRecord(schemes)) return undefined
  for (const [scheme, content] of Object.entries(schemes)) {
    const flow = at(content, 'oauth2SecurityScheme', 'flows', 'deviceCode')
    if (!isRecord(flow)) continue
    return {
      scheme,
      deviceAuthorizationUrl: String(flow.deviceAuthorizationUrl),
      tokenUrl: String(flow.tokenUrl),
      metadataUrl: String(at(content, 'oauth2SecurityScheme', 'oauth2MetadataUrl')),
      scopes: Object.keys(Object(flow.scopes)),
    }
  }
  return undefined
}
