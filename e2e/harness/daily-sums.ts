import { sumDays as sumDaysOf } from '#lib/access/past-days.ts'

/** In SQL: adds up what tests and benchmarks stored by the hour, as if it had been counted on those days. Again: anew. */
export const sumDays = sumDaysOf('true')
