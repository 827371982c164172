import { z } from 'zod'
import { parseTemplate } from './template.ts'

/** A name that templates and rules can refer to. */
export const identifier = z
  .string()
  .regex(/^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'must be letters, digits and underscores')

/** A Liquid template. */
export const template = z
  .string()
  .max(16_384)
  .superRefine((source, context) => {
    const parsed = parseTemplate(source)
    if (!parsed.ok) context.addIssue({ code: 'custom', message: `is not a valid template: ${parsed.reason}` })
  })

/** What a person reads as an answer. */
export const reply = template.refine((source) => source.trim() !== '', 'must not be blank')
