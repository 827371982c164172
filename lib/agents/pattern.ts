import { RE2JS } from 're2js'

/** The largest pattern, in instructions of the compiled program. An ordinary one has 20 to 100. */
const MAX_PROGRAM_SIZE = 2_000

/**
 * How much work one search may be, in characters times instructions. RE2 is linear in both: this bounds a search to some
 * tenths of a second for the most hostile pattern and text, and to milliseconds for ordinary ones.
 */
const MAX_WORK = 2_000_000

/** A pattern that answers in time linear to the text, whatever the text is. */
export type Pattern = {
  /** The named groups of the first match, `''` for those that took no part; undefined without a match. */
  match(text: string): Record<string, string> | undefined
  /** The names of its groups. */
  groups: readonly string[]
}

export type CompiledPattern = { ok: true; pattern: Pattern } | { ok: false; reason: string }

/**
 * Compiles a regular expression in RE2 syntax, searched without case. Back-references and look-around are not in it.
 * A pattern of up to 60 instructions sees all of a 32 KiB text; a larger one sees less of it, from the start.
 */
export function compilePattern(source: string): CompiledPattern {
  try {
    const compiled = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE)
    const size = compiled.programSize()
    if (size > MAX_PROGRAM_SIZE) return { ok: false, reason: 'it is too large' }
    return { ok: true, pattern: buildPattern(compiled, Math.floor(MAX_WORK / size)) }
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
}

function buildPattern(compiled: RE2JS, reach: number): Pattern {
  const names = Object.keys(compiled.namedGroups())
  return {
    groups: names,
    match(text) {
      const seen = text.length > reach ? text.slice(0, reach) : text
      // The yes-or-no question is an order of magnitude cheaper than the groups, and most rules answer no.
      if (!compiled.test(seen)) return undefined
      if (names.length === 0) return {}
      const matcher = compiled.matcher(seen)
      if (!matcher.find()) return undefined
      return Object.fromEntries(names.map((name) => [name, matcher.group(name) ?? '']))
    },
  }
}
