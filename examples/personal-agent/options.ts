import { parseArgs } from 'node:util'
import { z } from 'zod'
import { Problem } from './problem.ts'

export const USAGE = `npm run demo -- [options]

  --brand NAME      talk with this Brand of the Provider's list (its name or id)
  --card URL        talk with the Brand whose Agent Card is there
  --say TEXT        say this and show the reply; may be repeated; without a keyboard
  --walk            the whole way by itself: see the orders, cancel one, list what is allowed, withdraw it
  --approve ACCOUNT play the User at the demo Brand too, without a browser (demonstrations only); such as jane
  --audience TEXT   the audience that the Provider assigned (or PA_AUDIENCE)
  --help            show this

  PROVIDER_URL      where the Provider is (http://localhost:3000)
  PA_ISSUER         who this personal agent is, and where it publishes its key (http://localhost:3100)
  DATA_DIR          where its key is kept (.data)`

/** What `--walk` says to the demo Brand's agent. */
const WALK = ['Show my orders', 'Cancel order A-88213', '/access', '/revoke']

const issuerSchema = z
  .url({ protocol: /^http$/, hostname: /^(localhost|127\.0\.0\.1)$/, abort: true })
  .refine((text) => new URL(text).origin === text)

export type Options = {
  help: boolean
  brand: string | undefined
  card: string | undefined
  /** What to say without a keyboard; empty: a person types. */
  say: string[]
  /** The account of the demo Brand in which all is allowed without a person; undefined: a person decides. */
  approve: string | undefined
  audience: string
  providerUrl: string
  issuer: string
  dataDir: string
}

/**
 * What the person asked for, from the command line and the environment.
 *
 * @throws Problem when something in it is wrong
 */
export function readOptions(args: string[], env: Record<string, string | undefined>): Options {
  const values = parseArguments(args)
  const options = {
    help: values.help ?? false,
    brand: values.brand,
    card: values.card,
    say: values.say ?? (values.walk ? WALK : []),
    approve: values.approve,
    audience: values.audience || env.PA_AUDIENCE || 'urn:example:pact-provider',
    providerUrl: env.PROVIDER_URL || `http://localhost:${env.PORT || 3000}`,
    issuer: env.PA_ISSUER || 'http://localhost:3100',
    dataDir: env.DATA_DIR || '.data',
  }
  requireUrl('--card', options.card)
  requireUrl('PROVIDER_URL', options.providerUrl)
  if (!issuerSchema.safeParse(options.issuer).success)
    throw new Problem(
      `PA_ISSUER is ${options.issuer}.`,
      'It must be like http://localhost:3100, on this machine.',
    )
  if (options.say.some((text) => text.trim() === ''))
    throw new Problem('--say has nothing to say.', 'Give it a text: --say "Where is my order?"')
  return options
}

function parseArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        help: { type: 'boolean', short: 'h' },
        brand: { type: 'string' },
        card: { type: 'string' },
        say: { type: 'string', multiple: true },
        walk: { type: 'boolean' },
        approve: { type: 'string' },
        audience: { type: 'string' },
      },
    }).values
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new Problem(message, 'See: npm run demo -- --help')
  }
}

function requireUrl(name: string, text: string | undefined): void {
  if (text === undefined || (URL.canParse(text) && /^https?:/i.test(text))) return
  throw new Problem(`${name} is not a URL: ${text}`, 'It must start with https:// or http://.')
}
