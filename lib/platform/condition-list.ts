/** Conditions of one SQL statement, and the values that they name. */
export type ConditionList = {
  /** Names a value. @returns its placeholder */
  value(value: unknown): string
  /** Adds a condition. Values stand in it only as their placeholders. */
  add(text: string): void
  /** All of them, joined by AND; TRUE where there are none. */
  text(): string
  /** In the order of their placeholders. */
  values: unknown[]
}

/** Starts a list of conditions. */
export function newConditions(): ConditionList {
  const texts: string[] = []
  const values: unknown[] = []
  return {
    value: (value) => `$${values.push(value)}`,
    add: (text) => void texts.push(text),
    text: () => (texts.length > 0 ? texts.join(' AND ') : 'TRUE'),
    values,
  }
}
