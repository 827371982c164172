import { z } from 'zod'
import { type Cursor, readCursor } from '#lib/platform/keyset.ts'
import { isStorable } from '#lib/platform/text.ts'

/** Members of a filter that put up with nonsense, without that. */
type Strict<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodCatch<infer Inner extends z.ZodType> ? Inner : Shape[Name]
}

/**
 * A filter of a page as the API takes it: what makes no sense in an address of the console counts as not said there, and is
 * refused here.
 */
export function strictFilter<Shape extends z.ZodRawShape>(
  filter: z.ZodObject<Shape>,
): z.ZodObject<Strict<Shape>> {
  const members = Object.entries(filter.shape).map(([name, member]) => [
    name,
    member instanceof z.ZodCatch ? member.unwrap() : member,
  ])
  return z.strictObject(Object.fromEntries(members)) as unknown as z.ZodObject<Strict<Shape>>
}

/** How many entries a page of a list may have. */
const limit = z.coerce
  .number<string>()
  .int()
  .min(1)
  .max(100)
  .default(50)
  .meta({ description: 'How many entries the page has at most.' })

const cursorText = z
  .string()
  .max(1_000)
  .meta({ description: '`nextCursor` of the page before. Opaque; with the same filter.' })

const refuse = (context: z.RefinementCtx) => {
  context.addIssue({ code: 'custom', message: 'is no cursor of this list' })
  return z.NEVER
}

/** `limit` and `cursor` of a list that is ordered by time and id. @param isId what its ids look like */
export function timePage(isId: RegExp) {
  const cursor = cursorText.transform((text, context): Cursor => {
    const read = readCursor(text)
    return read && isId.test(read.id) ? read : refuse(context)
  })
  return { limit, cursor: cursor.optional() }
}

const encode = (text: string) => Buffer.from(text).toString('base64url')

/** `limit` and `cursor` of a list that goes on beside one of its rows. @param place what names the row */
export function rowPage<Place extends z.ZodType<unknown, string>>(place: Place) {
  const cursor = cursorText.transform((text, context): z.output<Place> => {
    const decoded = Buffer.from(text, 'base64url').toString()
    const parsed = isStorable(decoded) ? place.safeParse(decoded) : undefined
    return parsed?.success ? parsed.data : refuse(context)
  })
  return { limit, cursor: cursor.optional() }
}

/** A page of a list that is ordered by time, as it is answered. `after` is a cursor already. */
export function timePageReply<Row>(rows: Row[], after: string | undefined) {
  return { body: { data: rows, nextCursor: after ?? null } }
}

/** A page of a list that goes on beside one of its rows, as it is answered. */
export function rowPageReply<Row>(rows: Row[], after: string | undefined) {
  return { body: { data: rows, nextCursor: after === undefined ? null : encode(after) } }
}
