import { randomBytes } from 'node:crypto'

/**
 * What the bench's processes run with, whatever they were started with: a run is the same everywhere. The master key is
 * made for one run. All of them name the same Provider, so that each accepts the delegation tokens of the others.
 */
export function buildEnvironment(): Record<string, string> {
  return {
    ALLOW_LOOPBACK: '1',
    DATABASE_URL: '',
    HOST: '',
    LOG_LEVEL: 'info',
    PACT_MASTER_KEY: randomBytes(32).toString('base64'),
    PACT_MASTER_KEY_PREVIOUS: '',
    PORT: '',
    PROVIDER_URL: '',
    REDIS_URL: '',
  }
}
