import { type ArgumentCheck, buildArgumentCheck } from './argument-schema.ts'
import type { ToolSettings } from './schema.ts'
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
  checkArguments: ArgumentCheck
  /** The argument that is the User's id at the Brand. */
  userArgument: string | undefined
  /** Whether a call may change something at the Brand. */
  changes: boolean
  /** How long a call may take, in milliseconds. */
  timeLimit: number
}

/**
 * A tool from its settings.
 *
 * @param settings valid under `toolSchema`
 */
export function buildTool(settings: ToolSettings): Tool {
  const { name, scope, changes, arguments: schema, userArgument, request } = settings
  const parsed = parseUrlTemplate(request.url)
  if (!parsed.ok) throw new Error(`The URL of the tool ${name} ${parsed.reason}`)
  return {
    name,
    scope,
    method: request.method,
    url: parsed.template,
    checkArguments: buildArgumentCheck(schema),
    userArgument,
    changes: changes || request.method !== 'GET',
    timeLimit: (request.timeLimitSeconds ?? DEFAULT_TIME_LIMIT_SECONDS) * 1000,
  }
}
