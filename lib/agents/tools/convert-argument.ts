/** A plain decimal: no sign but a minus, no exponent, no other base. */
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/** The number that `text` writes; undefined where it is none, or where the number would not be what was written. */
function toNumber(text: string): number | undefined {
  if (!DECIMAL.test(text)) return undefined
  const number = Number(text)
  const shortest = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  return String(number) === shortest ? number : undefined
}

function fromText(text: string, types: ReadonlySet<string>): number | boolean | null | undefined {
  if (types.has('number') || types.has('integer')) {
    const number = toNumber(text)
    if (number !== undefined) return number
  }
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return types.has('null') && text === '' ? null : undefined
}

/**
 * An argument as a type that its schema asks for: templates render text, and a rule may write a number where text is meant.
 * A value is converted as it is written or not at all: `1e999`, `0x10` and digits that a number can't hold stay text.
 *
 * @param types JSON Schema's names of types
 * @returns undefined where it can't be converted
 */
export function convertArgument(
  value: unknown,
  types: ReadonlySet<string>,
): string | number | boolean | null | undefined {
  if (typeof value === 'string') return fromText(value, types)
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  return isPlain && types.has('string') ? String(value) : undefined
}
