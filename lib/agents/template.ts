import { Liquid, type Template } from 'liquidjs'

const liquid = new Liquid({
  ownPropertyOnly: true,
  strictFilters: true,
  parseLimit: 100_000,
  renderLimit: 1_000,
  memoryLimit: 1_000_000,
  // A template has no files: `render` and `include` find nothing.
  templates: {},
  relativeReference: false,
})

export type ParsedTemplate =
  | { ok: true; render(variables: Record<string, unknown>): string }
  | { ok: false; reason: string }

/** Parses a Liquid template; rendering is limited in time (1 s) and memory, and throws beyond. */
export function parseTemplate(source: string): ParsedTemplate {
  let parsed: Template[]
  try {
    parsed = liquid.parse(source)
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
  return { ok: true, render: (variables) => String(liquid.renderSync(parsed, variables)) }
}
