import { z } from 'zod'

/** The schemas that the document lists by name. */
export const namedSchemas = z.registry<{ id: string }>()

/** Gives a schema its name in the document. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  namedSchemas.add(schema, { id })
  return schema
}

/** One page of a list. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({
    data: z.array(row),
    /** For `cursor`, to get the next page; null on the last one. */
    nextCursor: z.string().nullable(),
  })
}
