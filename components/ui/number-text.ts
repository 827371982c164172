// Made once: to make one costs more than a table's worth of numbers.
const whole = new Intl.NumberFormat('en')
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** A number as it is shown. */
export const numberText = (value: number): string => whole.format(value)

/** A number as it is shown, with at most one decimal. */
export const tenthsText = (value: number): string => tenths.format(value)
