/** What a request asks for, by its path and method alone (§2.2). */
export type Operation =
  | { name: 'agentCard' }
  | { name: 'sendMessage' }
  | { name: 'streamMessage' }
  | { name: 'listTasks' }
  | { name: 'getTask'; taskId: string }
  | { name: 'cancelTask'; taskId: string }
  | { name: 'subscribeToTask'; taskId: string }
  | { name: 'unsupported' }
  | { name: 'pushNotifications' }
  | { name: OAuthOperation }

/** What a Brand's authorization server does (§5). */
export type OAuthOperation = 'oauthMetadata' | 'jwks' | 'deviceAuthorization' | 'token' | 'revocation'

export type Match =
  | { kind: 'operation'; brandId: string; operation: Operation }
  /** `open`: what it serves is a public document, which pages of any origin may read. */
  | { kind: 'options'; brandId: string; open: boolean; allow: readonly string[] }
  | { kind: 'method-not-allowed'; allow: readonly string[] }
  | { kind: 'not-found' }

type Methods = Partial<Record<'GET' | 'POST' | 'DELETE', Operation>>

const unsupported: Operation = { name: 'unsupported' }
const pushNotifications: Operation = { name: 'pushNotifications' }

/** A task id and what is asked of it, as in `{id}:cancel`; without a verb, the task itself. */
function taskMethods(segment: string): Methods | undefined {
  const colon = segment.lastIndexOf(':')
  const taskId = segment.slice(0, colon)
  const verb = colon < 1 ? '' : segment.slice(colon + 1)
  if (verb === 'cancel') return { POST: { name: 'cancelTask', taskId } }
  if (verb === 'subscribe') {
    // A2A 1.0 names both methods: POST in its text, GET in its protocol buffers.
    const subscribe: Operation = { name: 'subscribeToTask', taskId }
    return { GET: subscribe, POST: subscribe }
  }
  return segment ? { GET: { name: 'getTask', taskId: segment } } : undefined
}

/** RFC 8414 §3.1: this stands before the issuer's path; on the card's URL (§5.1), after it. */
const METADATA = '/.well-known/oauth-authorization-server'

/** The entries of a Brand's authorization server (§5.1), relative to its issuer. */
const oauthMethods = new Map<string, Methods>([
  [METADATA.slice(1), { GET: { name: 'oauthMetadata' } }],
  ['jwks.json', { GET: { name: 'jwks' } }],
  ['device_authorization', { POST: { name: 'deviceAuthorization' } }],
  ['token', { POST: { name: 'token' } }],
  ['revoke', { POST: { name: 'revocation' } }],
])

const oauthNames = new Set<string>(
  [...oauthMethods.values()].flatMap((methods) => Object.values(methods).map(({ name }) => name)),
)

/** True for the name of an operation whose errors are OAuth's (§6), not A2A's. */
export function isOAuth(operation: string | undefined): boolean {
  return operation !== undefined && oauthNames.has(operation)
}

const openOperations = new Set<string | undefined>(['agentCard', 'oauthMetadata', 'jwks'])

/** The operations of A2A 1.0 (HTTP+JSON), relative to the interface URL, and those of §5 below `oauth`. */
function methodsAt(segments: readonly string[]): Methods | undefined {
  const [first, second, third, fourth] = segments
  if (first === 'oauth') return oauthMethods.get(segments.slice(1).join('/'))
  if (segments.length === 1) {
    if (first === 'message:send') return { POST: { name: 'sendMessage' } }
    if (first === 'message:stream') return { POST: { name: 'streamMessage' } }
    if (first === 'tasks') return { GET: { name: 'listTasks' } }
    if (first === 'extendedAgentCard') return { GET: unsupported }
  }
  if (segments.length === 2 && first === '.well-known' && second === 'agent-card.json') {
    return { GET: { name: 'agentCard' } }
  }
  if (first !== 'tasks' || !second) return undefined
  if (segments.length === 2) return taskMethods(second)
  if (third !== 'pushNotificationConfigs') return undefined
  if (segments.length === 3) return { GET: pushNotifications, POST: pushNotifications }
  return segments.length === 4 && fourth ? { GET: pushNotifications, DELETE: pushNotifications } : undefined
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** The path as the card gives it. */
function moveToEnd(pathname: string): string {
  return pathname.startsWith(`${METADATA}/`) ? pathname.slice(METADATA.length) + METADATA : pathname
}

/**
 * Finds what a request asks for (§2.2). It knows no Brands: whether `brandId` exists is asked after authentication.
 *
 * @param pathname as in the request, percent-encoded; `%3A` stands for `:` like any other encoding
 */
export function matchRoute(method: string, pathname: string): Match {
  const segments = moveToEnd(pathname).split('/').map(decode)
  const [root, prefix, brandId, ...rest] = segments
  if (root !== '' || prefix !== 'a2a' || !brandId) return { kind: 'not-found' }
  const path = rest.filter((segment) => segment !== undefined)
  const methods = path.length === rest.length ? methodsAt(path) : undefined
  if (!methods) return { kind: 'not-found' }
  const allow = [...Object.keys(methods), ...(methods.GET ? ['HEAD'] : []), 'OPTIONS']
  if (method === 'OPTIONS')
    return { kind: 'options', brandId, open: openOperations.has(methods.GET?.name), allow }
  // RFC 9110 §9.3.2: HEAD is GET without the content.
  const operation = new Map(Object.entries(methods)).get(method === 'HEAD' ? 'GET' : method)
  return operation ? { kind: 'operation', brandId, operation } : { kind: 'method-not-allowed', allow }
}
