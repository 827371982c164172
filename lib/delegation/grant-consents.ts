import { z } from 'zod'
import { prisma } from '#lib/platform/database.ts'

/** How many are listed. */
const LISTED = 50

const text = z.string()

/** What a consent page said, as far as it is shown again. It was stored by an older version maybe: all may be missing. */
const shownSchema = z.object({
  brand: z.object({ name: text }).optional().catch(undefined),
  personalAgent: z.object({ name: text, origin: text }).optional().catch(undefined),
  account: z.object({ id: text, name: text.optional(), email: text.optional() }).optional().catch(undefined),
  userCode: text.optional().catch(undefined),
  texts: z
    .object({
      title: text,
      lead: text,
      warning: text,
      identity: text,
      requested: text,
      besides: text.optional(),
      duration: text,
      noneChecked: text,
      allow: text,
      deny: text,
    })
    .optional()
    .catch(undefined),
  scopes: z
    .array(z.object({ id: text, description: text, requested: z.boolean(), allowedBefore: z.boolean() }))
    .catch([]),
})

export type ShownPage = z.infer<typeof shownSchema>

/** One time when a User was asked. */
export type GrantConsent = {
  id: string
  decidedAt: Date
  /** The ids that were left checked. */
  scopes: string[]
  /** Word for word; undefined where consent was skipped, since the grant covered the request. */
  shown: ShownPage | undefined
}

/** Lists what a User was shown at each consent that led to a grant (§5.3), the latest first. */
export async function listConsents(brandId: string, grantId: string): Promise<GrantConsent[]> {
  const rows = await prisma().consentDecision.findMany({
    where: { brandId, grantId },
    orderBy: [{ decidedAt: 'desc' }, { id: 'desc' }],
    take: LISTED,
  })
  return rows.map(({ id, decidedAt, scopes, shown }) => {
    const page = shownSchema.safeParse(shown)
    const skipped = !page.success || page.data.texts === undefined
    return { id, decidedAt, scopes, shown: skipped ? undefined : page.data }
  })
}
