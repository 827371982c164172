import { type BrandSettings, brandSchema } from '#lib/brands/schema.ts'
import { config } from '#lib/platform/config.ts'
import { crossCheck } from './cross-checks.ts'
import { checkSchema } from './describe-issues.ts'
import type { Finding } from './fault.ts'
import { outlineSchema } from './outline.ts'

/** The findings of a file that has one Brand, as findings of that Brand. */
export function ofOneBrand(findings: readonly Finding[]): Finding[] {
  return findings.map(({ path, reason, ...rest }) => ({
    ...rest,
    path: path[0] === 'brands' ? path.slice(2) : path,
    reason: reason.replaceAll('brands[0].', ''),
  }))
}

/**
 * Checks one Brand by the rules of the provision file. It knows nothing of what is stored: a domain may be another's.
 *
 * @returns the settings, or everything that is wrong with them, by the Brand's own fields
 */
export function checkBrand(
  input: unknown,
): { ok: true; settings: BrandSettings } | { ok: false; findings: Finding[] } {
  const checked = checkSchema(brandSchema({ allowLoopback: config().allowLoopback }), input)
  const crossed = ofOneBrand(crossCheck(outlineSchema.parse({ brands: [input] })))
  if (checked.ok && crossed.length === 0) return { ok: true, settings: checked.value }
  return { ok: false, findings: [...(checked.ok ? [] : checked.findings), ...crossed] }
}
