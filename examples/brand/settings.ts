import { z } from 'zod'

const origin = z
  .url({ protocol: /^https?$/, error: 'must be a URL that starts with https:// or http://' })
  .transform((text) => text.replace(/\/+$/, ''))

const environmentSchema = z
  .object({
    BRAND_URL: origin.default('http://localhost:3200'),
    BRAND_ID: z.string().min(1).default('01KAA0B5V7S8Q0ZJ1M9T3X4WCR'),
    PROVIDER_URL: origin.optional(),
    PORT: z.string().default('3000'),
    DATA_DIR: z.string().min(1).default('.data'),
  })
  .transform((environment) => ({
    /** Where this Brand's own pages and API are; also the `iss` of its login assertions. */
    brandUrl: environment.BRAND_URL,
    /** The Brand's interface URL at its Provider (§2.1), as its Agent Card gives it. */
    interfaceUrl: `${environment.PROVIDER_URL ?? `http://localhost:${environment.PORT}`}/a2a/${environment.BRAND_ID}`,
    /** Where the login key is kept. */
    dataDir: environment.DATA_DIR,
  }))

export type Settings = z.infer<typeof environmentSchema>

/** The environment is wrong. One line for whoever starts the program. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/** Reads what the Brand needs to know of itself and of its Provider. @throws SettingsError */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const parsed = environmentSchema.safeParse(environment)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new SettingsError(`${issue?.path.join('.')} ${issue?.message}`)
}
