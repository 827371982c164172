import { z } from 'zod'
import type { BrandInput } from '#lib/brands/schema.ts'
import { readNestedFields } from '../../nested-fields.ts'

const text = z.string().catch('')
/** A field that may stay empty. */
const optionalText = z
  .string()
  .optional()
  .catch(undefined)
  .transform((value) => value?.trim() || undefined)
/** What is no number stays text, for the check to complain of. */
const number = optionalText.transform((value) =>
  value === undefined || Number.isNaN(Number(value)) ? value : Number(value),
)
/** What is empty stays so, for the check to complain of. */
const requiredNumber = text.transform((value) =>
  value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value),
)
const separated = (separator: RegExp) =>
  text.transform((value) =>
    value
      .split(separator)
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  )

/** Entries of a list of rows; the numbers in their names may have gaps. */
function rows<T extends z.ZodType>(row: T) {
  return z
    .array(row.optional())
    .catch([])
    .transform((entries) => entries.filter((entry) => entry !== undefined))
}

const skill = z
  .object({ id: text, name: text, description: text, tags: separated(/,/), examples: separated(/\n/) })
  .catch({ id: '', name: '', description: '', tags: [], examples: [] })
const scope = z.object({ id: text, description: text }).catch({ id: '', description: '' })

const cardForm = z.object({ name: text, description: text, skills: rows(skill) })

const loginForm = z.object({
  delegation: z
    .object({
      login: z
        .object({ url: text, issuer: text, jwksUri: text, afterConsentUrl: optionalText })
        .catch({ url: '', issuer: '', jwksUri: '', afterConsentUrl: undefined }),
      appearance: z
        .object({ colour: optionalText, logoUrl: optionalText })
        .catch({ colour: undefined, logoUrl: undefined }),
      scopes: rows(scope),
    })
    .catch({
      login: { url: '', issuer: '', jwksUri: '', afterConsentUrl: undefined },
      appearance: { colour: undefined, logoUrl: undefined },
      scopes: [],
    }),
})

const limitsForm = z.object({
  conversation: z
    .object({ idleHours: requiredNumber, retentionDays: number })
    .catch({ idleHours: '', retentionDays: undefined }),
  delegation: z.object({ grantDays: requiredNumber }).optional().catch(undefined),
  keys: z.object({ rotateEveryDays: number }).catch({ rotateEveryDays: undefined }),
})

/** Name, description and skills, as the card's form has them. They are not checked yet. */
export function readCardFields(data: FormData) {
  return cardForm.parse(readNestedFields(data))
}

/** The Brand with what the card's form says. */
export function withCard(settings: BrandInput, data: FormData): unknown {
  return { ...settings, ...readCardFields(data) }
}

/** The Brand with what the form of login and scopes says. */
export function withLogin(settings: BrandInput, data: FormData): unknown {
  const { appearance, ...delegation } = loginForm.parse(readNestedFields(data)).delegation
  const looks = appearance.colour !== undefined || appearance.logoUrl !== undefined
  const { appearance: _, ...kept } = settings.delegation ?? {}
  return { ...settings, delegation: { ...kept, ...delegation, ...(looks ? { appearance } : {}) } }
}

/** The Brand with what the form of limits says. */
export function withLimits(settings: BrandInput, data: FormData): unknown {
  const { conversation, delegation, keys } = limitsForm.parse(readNestedFields(data))
  return {
    ...settings,
    conversation: {
      ...conversation,
      maskedFor: data.getAll('conversation.maskedFor'),
      streaming: data.has('conversation.streaming'),
    },
    ...(settings.delegation && delegation ? { delegation: { ...settings.delegation, ...delegation } } : {}),
    keys,
    // A box that nobody may check is not sent, and says nothing.
    ...(data.has('networks') ? { privateNetworks: data.has('privateNetworks') } : {}),
  }
}

/** The Brand with the domain that a form says. */
export function withDomain(settings: BrandInput, data: FormData): unknown {
  return { ...settings, domain: optionalText.parse(data.get('domain')) }
}
