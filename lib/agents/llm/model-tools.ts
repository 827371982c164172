import { type ArgumentCheck, buildArgumentCheck, type ToolArguments } from '../tools/argument-schema.ts'
import type { ToolSettings } from '../tools/schema.ts'
import { buildTool, type Tool } from '../tools/tool.ts'

/** A tool as a model is offered it. */
export type ModelTool = {
  tool: Tool
  description: string
  /** JSON Schema of the arguments that are the model's to choose. */
  schema: Record<string, unknown>
  /** Checks them alone. */
  check: ArgumentCheck
}

function without(name: string | undefined, schema: ToolSettings['arguments']): Record<string, unknown> {
  const { properties = {}, required, ...rest } = schema ?? { type: 'object', additionalProperties: false }
  const offered = Object.entries(properties as ToolArguments).filter(([property]) => property !== name)
  return {
    ...rest,
    properties: Object.fromEntries(offered),
    ...(Array.isArray(required) ? { required: required.filter((property) => property !== name) } : {}),
  }
}

/**
 * What a schema does not name, a model must not send: an API may understand it all the same, such as another spelling of the
 * User's argument. Only where no User is named a Brand may allow it.
 */
function closed(schema: Record<string, unknown>, userArgument: string | undefined): Record<string, unknown> {
  const { additionalProperties, ...rest } = schema
  const isOpen = additionalProperties !== undefined && additionalProperties !== false
  if (isOpen && userArgument === undefined) return schema
  return { ...rest, unevaluatedProperties: false }
}

/** A Brand's tools for a model, by name. Who the User is, no model is asked: that argument is not offered. */
export function buildModelTools(
  tools: readonly ToolSettings[],
  network = { allowPrivate: false },
): ReadonlyMap<string, ModelTool> {
  return new Map(
    tools.map((settings) => {
      const schema = without(settings.userArgument, settings.arguments)
      const { name, description, userArgument } = settings
      const check = buildArgumentCheck(closed(schema, userArgument))
      return [name, { tool: buildTool(settings, network), description, schema, check }]
    }),
  )
}
