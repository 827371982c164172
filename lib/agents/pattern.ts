import { RE2JS } from 're2js'

/** A pattern that answers in time linear to the text, whatever the text is. */
export type Pattern = {
  /** The named groups of the first match, `''` for those that took no part; undefined without a match. */
  match(text: string): Record<string, string> | undefined
}

export type CompiledPattern = { ok: true; pattern: Pattern } | { ok: false; reason: string }

/** Compiles a regular expression in RE2 syntax, matched without case. Back-references and look-around are not in it. */
export function compilePattern(source: string): CompiledPattern {
  try {
    const compiled = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE)
    const names = Object.keys(compiled.namedGroups())
    return {
      ok: true,
      pattern: {
        match(text) {
          const matcher = compiled.matcher(text)
          if (!matcher.find()) return undefined
          return Object.fromEntries(names.map((name) => [name, matcher.group(name) ?? '']))
        },
      },
    }
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
}
