import { Liquid, type Template } from 'liquidjs'

/** The longest text that a template may render, in UTF-16 units. */
const MAX_OUTPUT = 4_000_000

const liquid = buildEngine()

/** Fills a template. */
export type Render = (variables: Record<string, unknown>) => string

export type ParsedTemplate = { ok: true; render: Render } | { ok: false; reason: string }

/**
 * Parses a Liquid template. It renders plain text: nothing is escaped, an unknown variable is empty, and a variable's
 * value is never parsed as a template. Rendering throws beyond its limits of time (250 ms), memory and output.
 */
export function parseTemplate(source: string): ParsedTemplate {
  let parsed: Template[]
  try {
    parsed = liquid.parse(source)
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
  return { ok: true, render: (variables) => render(parsed, variables) }
}

/** As {@link parseTemplate}, of a template that has been checked. @throws when it is not valid */
export function compileTemplate(source: string): Render {
  const parsed = parseTemplate(source)
  if (!parsed.ok) throw new Error(`Not a valid template: ${parsed.reason}`)
  return parsed.render
}

/** What the analysis takes for a variable: a keyword of `for`, and what is asked of a text that stands there itself. */
const NO_VARIABLES = ['continue', 'size']

/**
 * The variables that a template shows and nowhere makes itself, each by its path: `match.number` is `match`, `number`. A path
 * ends where it depends on other variables.
 *
 * @returns none of a template that is not valid
 */
export function listVariables(source: string): string[][] {
  try {
    const { globals, locals } = liquid.analyzeSync(liquid.parse(source), { partials: false })
    const own = new Set([...Object.keys(locals), ...NO_VARIABLES])
    const shown = Object.values(globals).flat()
    const paths = shown.map(({ segments }) => {
      const named = segments.findIndex((segment) => typeof segment === 'object')
      return segments.slice(0, named === -1 ? undefined : named).map(String)
    })
    return paths.filter(([name = '']) => !own.has(name))
  } catch {
    return []
  }
}

function render(parsed: Template[], variables: Record<string, unknown>): string {
  const text = String(liquid.renderSync(parsed, variables))
  // The engine limits what filters allocate, not what is written. Until somebody reads it, a long text is cheap.
  if (text.length > MAX_OUTPUT) throw new Error('the template renders too much text')
  return text
}

function buildEngine(): Liquid {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: 100_000,
    renderLimit: 250,
    memoryLimit: 1_000_000,
    templates: {},
    relativeReference: false,
  })
  // A template has no other files: these are refused when it is parsed.
  for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag]
  return engine
}
