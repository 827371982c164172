/** Something wrong in a provision file, and where: lines and columns count from 1. */
export type Fault = {
  file: string
  line: number
  column: number
  /** Such as `brands[0].skills[1].tags`; empty for the file as a whole. */
  field: string
  /** Reads on from the field's name, e.g. `is required`. */
  reason: string
}

/** The way to a value: keys of maps, indexes of lists. */
export type Path = readonly (string | number)[]

/** What is wrong with the value at a path. */
export type Finding = {
  path: Path
  reason: string
  /** Point to the key, not to its value. */
  atKey?: boolean
}

/** Writes a path as people do: `brands[0].skills[1].tags`; a key that is no plain word stands in brackets. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(step)) return `${text}[${JSON.stringify(step)}]`
    return text ? `${text}.${step}` : step
  }, '')
}

/** One line for a terminal: `file:line:column field: reason`. */
export function formatFault({ file, line, column, field, reason }: Fault): string {
  return `${file}:${line}:${column} ${field ? `${field}: ` : ''}${reason}`
}
