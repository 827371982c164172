import { config } from '#lib/platform/config.ts'
import { guardedRequest, type OutboundFault, parseJson } from '#lib/platform/outbound/guarded-request.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { cardUrl, interfaceUrl } from './addresses.ts'

const limits = { timeout: 5_000, bytes: 256 * 1024 } as const
/** The most of an address that is shown, in characters. */
const SHOWN = 300

/** What stands at the well-known place of a Brand's own domain (§2.1). */
export type DomainFinding =
  | { kind: 'redirects' | 'serves' }
  | { kind: 'leads-elsewhere'; location: string }
  /** A card, but of another agent. */
  | { kind: 'other-card'; interfaces: string[] }
  | { kind: 'no-card' }
  | { kind: 'status'; status: number }
  | { kind: 'fault'; fault: OutboundFault }

export type DomainCheck = { url: string; wanted: string; found: DomainFinding }

/** §2.1: the standard place of a Brand's card. */
export function wellKnownUrl(domain: string): string {
  return `https://${domain}/.well-known/agent-card.json`
}

function readInterfaces(document: unknown): string[] | undefined {
  if (typeof document !== 'object' || document === null || !('supportedInterfaces' in document))
    return undefined
  if (!Array.isArray(document.supportedInterfaces)) return undefined
  return document.supportedInterfaces.flatMap((each: unknown) =>
    typeof each === 'object' && each !== null && 'url' in each ? [String(each.url)] : [],
  )
}

function readCard(bytes: Buffer): unknown {
  try {
    return parseJson(bytes)
  } catch {
    return undefined
  }
}

const shown = (text: string) => makeVisible(text.slice(0, SHOWN))

type Answer = { status: number; location: string | undefined; bytes: Buffer }

function judge(answer: Answer, { url, brandId }: { url: string; brandId: string }): DomainFinding {
  const { status, location, bytes } = answer
  if (location !== undefined) {
    const target = URL.parse(location, url)
    if (target?.href === new URL(cardUrl(brandId)).href) return { kind: 'redirects' }
    return { kind: 'leads-elsewhere', location: shown(target?.href ?? location) }
  }
  if (status !== 200) return { kind: 'status', status }
  const interfaces = readInterfaces(readCard(bytes))
  if (!interfaces) return { kind: 'no-card' }
  if (interfaces.includes(interfaceUrl(brandId))) return { kind: 'serves' }
  return { kind: 'other-card', interfaces: interfaces.slice(0, 5).map(shown) }
}

/**
 * Asks a Brand's own domain now whether it serves the Brand's card or redirects to it (§2.1). The redirect is read, not
 * followed: what it leads to is ours. Never rejects.
 *
 * @param url where to ask; left out: the standard place
 */
export async function checkDomain(
  brandId: string,
  domain: string,
  url = wellKnownUrl(domain),
): Promise<DomainCheck> {
  const { allowLoopback } = config()
  const asked = await guardedRequest(
    {
      url,
      purpose: 'documents',
      method: 'GET',
      headers: {},
      signal: AbortSignal.timeout(limits.timeout),
      maxBytes: limits.bytes,
      allowLoopback,
      readRedirects: true,
    },
    () => undefined,
    (answer) => judge(answer, { url, brandId }),
  )
  const found = asked.ok ? asked.value : ({ kind: 'fault', fault: asked.reason } as const)
  return { url, wanted: cardUrl(brandId), found }
}
