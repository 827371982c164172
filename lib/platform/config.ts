import { z } from 'zod'
import { oidcRolesSchema } from './oidc-roles.ts'
import { processState } from './process-state.ts'
import { isLoopbackHost } from './urls.ts'

const flag = z
  .enum(['0', '1', 'true', 'false'], 'must be 1 or 0')
  .transform((text) => text === '1' || text === 'true')

const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL that starts with https:// or http://', abort: true })
  .refine((text) => !new URL(text).search && !new URL(text).hash, 'must not have a query or a fragment')
  .transform((text) => text.replace(/\/+$/, ''))

/** A master key as operators write it: 32 bytes in base64. */
export const masterKeySchema = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9+/]{43}=?$/, 'must be 32 bytes in base64, as `openssl rand -base64 32` makes them')
  .transform((text) => Buffer.from(text, 'base64'))

function wholeNumber(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d+$/, { error: rule, abort: true })
    .transform(Number)
    .pipe(z.number().min(min, rule).max(max, rule))
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** What libraries do with a URL's parts: a stray % makes that throw. */
function hasGoodEscapes(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

function providerUrl({ PROVIDER_URL, PORT }: { PROVIDER_URL?: string | undefined; PORT: number }): string {
  return PROVIDER_URL ?? `http://localhost:${PORT}`
}

function isLocalUrl(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname)
}

const environmentSchema = z
  .object({
    NODE_ENV: z.string().optional(),
    PORT: wholeNumber(1, 65_535).default(3000),
    HOST: z.string().min(1).optional(),
    PROVIDER_URL: baseUrl.optional(),
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\//, { error: 'must start with postgresql://', abort: true })
      .refine(hasGoodEscapes, { error: 'has a % that starts no escape: write % as %25', abort: true })
      .refine((text) => URL.canParse(text), 'must be a URL: escape special characters of the password as %XX')
      .optional(),
    DATABASE_POOL: wholeNumber(2, 200).default(12),
    DATA_DIR: z.string().min(1).default('.data'),
    PACT_MASTER_KEY: masterKeySchema.optional(),
    PACT_MASTER_KEY_PREVIOUS: masterKeySchema.optional(),
    ALLOW_LOOPBACK: flag.optional(),
    REDIS_URL: z
      .string()
      .regex(/^rediss?:\/\//, { error: 'must start with redis:// or rediss://', abort: true })
      .refine((text) => URL.canParse(text), 'must be a URL: escape special characters of the password as %XX')
      .optional(),
    ADMIN_EMAIL: z.email('must be an e-mail address').optional(),
    ADMIN_PASSWORD: z.string().min(12, 'must have at least 12 characters').max(200).optional(),
    AUTH_OIDC_ISSUER: baseUrl.optional(),
    AUTH_OIDC_CLIENT_ID: z.string().min(1).optional(),
    AUTH_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
    AUTH_OIDC_ROLES: oidcRolesSchema.optional(),
    SMTP_URL: z
      .string()
      .regex(/^smtps?:\/\//, { error: 'must start with smtp:// or smtps://', abort: true })
      .optional(),
    SMTP_FROM: z.string().min(3).optional(),
    TRUST_PROXY: flag.optional(),
    LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  })
  .transform((environment) => ({
    port: environment.PORT,
    /** The address to listen on; undefined: every one. A Provider for this machine alone is not shown to its network. */
    host: environment.HOST ?? (isLocalUrl(providerUrl(environment)) ? '127.0.0.1' : undefined),
    /** Without a trailing slash. */
    providerUrl: providerUrl(environment),
    /** Undefined: the embedded PostgreSQL in `dataDir`. */
    databaseUrl: environment.DATABASE_URL,
    /** The most connections that this process opens to the database. */
    databasePool: environment.DATABASE_POOL,
    dataDir: environment.DATA_DIR,
    /** 32 bytes, as the operator gave them; undefined: in a file of `dataDir`, where that is allowed. Not for logs. */
    masterKey: environment.PACT_MASTER_KEY,
    /** The one before, under which stored keys may still be sealed. Not for logs. */
    previousMasterKey: environment.PACT_MASTER_KEY_PREVIOUS,
    /** Whether the master key may be kept in `dataDir`: the data is there too, or it is nothing but a trial. */
    masterKeyInDataDir: environment.DATABASE_URL === undefined || environment.NODE_ENV !== 'production',
    /** Whether URLs of personal agents and Brands may point to this machine, and use http there. */
    allowLoopback:
      environment.ALLOW_LOOPBACK ??
      (isLocalUrl(providerUrl(environment)) &&
        (environment.DATABASE_URL === undefined || environment.NODE_ENV !== 'production')),
    redisUrl: environment.REDIS_URL,
    /** The first admin's address and password; without them, they are made up. The password is not for logs. */
    admin: { email: environment.ADMIN_EMAIL, password: environment.ADMIN_PASSWORD },
    /** Single sign-on for the console; undefined: none. The secret is not for logs. */
    oidc: environment.AUTH_OIDC_ISSUER
      ? {
          issuer: environment.AUTH_OIDC_ISSUER,
          clientId: environment.AUTH_OIDC_CLIENT_ID ?? '',
          clientSecret: environment.AUTH_OIDC_CLIENT_SECRET ?? '',
          /** Which claims give which roles. */
          roles: environment.AUTH_OIDC_ROLES ?? [],
        }
      : undefined,
    /** Where invitations are mailed; undefined: they are only shown. Not for logs. */
    smtp: environment.SMTP_URL ? { url: environment.SMTP_URL, from: environment.SMTP_FROM } : undefined,
    /** Whether a reverse proxy stands in front and says in `X-Forwarded-For` who calls. */
    trustProxy: environment.TRUST_PROXY ?? false,
    logLevel: environment.LOG_LEVEL,
  }))

export type Config = z.infer<typeof environmentSchema>

/** The environment holds a value that can't be used. The message is one line, for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Reads the configuration from environment variables; empty ones count as absent.
 *
 * @throws ConfigError naming the first variable that is wrong, and what it must be
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = environmentSchema.safeParse(present)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw new ConfigError(`${String(issue?.path[0])} ${issue?.message ?? 'is not valid'}`)
}

/** The process's configuration, read once. @throws ConfigError */
export function config(): Config {
  return processState('config', () => readConfig(process.env))
}

/** Makes the process use the database at `url`: the embedded one, or a test's. Before the first query. */
export function setDatabaseUrl(url: string): void {
  config().databaseUrl = url
}

const DEFAULT_URL = 'http://localhost:3000'

/** The command that starts the demo personal agent against the Provider at `url`, as it is typed into a shell. */
export function demoCommand(url: string): string {
  return url === DEFAULT_URL ? 'npm run demo' : `PROVIDER_URL=${url} npm run demo`
}

/** True when the Provider's own URL is on this machine, as in a trial. */
export function isLocal(): boolean {
  return isLocalUrl(config().providerUrl)
}
