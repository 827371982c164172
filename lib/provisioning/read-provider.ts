import { limitsSchema, type ProviderSettings } from '#lib/identity/schema.ts'
import type { Provider } from '#prisma/generated/client.ts'

/** Settings of which none is left out. */
export type WholeSettings = {
  [Name in keyof ProviderSettings]-?: Exclude<ProviderSettings[Name], undefined>
}

/** The stored Provider as the provision file has it: applied again, it changes nothing. */
export function toProviderSettings(stored: Provider): WholeSettings {
  const { organization, audience, trust, limits, adminsNeedSecondFactor, retentionDays } = stored
  return {
    organization,
    audience,
    trust,
    limits: limitsSchema.parse(limits),
    adminsNeedSecondFactor,
    retentionDays,
  }
}
