import { type ArgumentCheck, buildArgumentCheck } from './argument-schema.ts'
import { mayChange, type ToolSettings } from './schema.ts'
import { parseUrlTemplate, type UrlTemplate } from './url-template.ts'

/** How long a call may take when its tool does not say, in seconds. */
const DEFAULT_TIME_LIMIT_SECONDS = 10

/** A tool, ready to be called. */
export type Tool = {
  name: string
  /** Undefined: it needs none, and works under §3. */
  scope: string | undefined
  method: ToolSettings['request']['method']
  url: UrlTemplate
  /** Arguments that go into the query although there is a body. */
  query: ReadonlySet<string>
  /** The header that shows the Brand's API who calls; undefined: none. */
  header: string | undefined
  checkArguments: ArgumentCheck
  /** The argument that is the User's id at the Brand. */
  userArgument: string | undefined
  /** Whether a call may change something at the Brand. */
  changes: boolean
  /** How long a call may take, in milliseconds. */
  timeLimit: number
  /** Whether it may reach a private network. */
  allowPrivate: boolean
}

/**
 * A tool from its settings.
 *
 * @param settings valid under `toolSchema`
 * @param network.allowPrivate whether it may reach a private network
 */
export function buildTool(settings: ToolSettings, network = { allowPrivate: false }): Tool {
  const { name, scope, arguments: schema, userArgument, request } = settings
  const parsed = parseUrlTemplate(request.url)
  if (!parsed.ok) throw new Error(`The URL of the tool ${name} ${parsed.reason}`)
  return {
    name,
    scope,
    method: request.method,
    url: parsed.template,
    query: new Set(request.query),
    header: request.header?.name,
    checkArguments: buildArgumentCheck(schema),
    userArgument,
    changes: mayChange(settings),
    timeLimit: (request.timeLimitSeconds ?? DEFAULT_TIME_LIMIT_SECONDS) * 1000,
    allowPrivate: network.allowPrivate,
  }
}
