/** A JSON object. */
export type JsonMap = Readonly<Record<string, unknown>>

/** True for what JSON calls an object: no list, not null. */
export function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
