import { describe, expect, it } from 'vitest'
import { ConfigError, demoCommand, readConfig } from './config.ts'

/** What an operator reads of an environment that can't be used. */
function refusalOf(environment: Record<string, string>): string {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

describe('a variable that can not be used', () => {
  const port = 'PORT must be a whole number from 1 to 65535'
  const pool = 'DATABASE_POOL must be a whole number from 2 to 200'
  it.each([
    ['PORT', '0', port],
    ['PORT', '70000', port],
    ['PORT', '30.5', port],
    ['PORT', 'http', port],
    ['PORT', '0x10', port],
    ['DATABASE_POOL', '1', pool],
    ['DATABASE_POOL', '201', pool],
    ['DATABASE_POOL', 'many', pool],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent'],
    ['ALLOW_LOOPBACK', 'maybe', 'ALLOW_LOOPBACK must be 1 or 0'],
    ['PROVIDER_URL', 'foo', 'PROVIDER_URL must be a URL that starts with https:// or http://'],
    ['PROVIDER_URL', 'ftp://a.example', 'PROVIDER_URL must be a URL that starts with https:// or http://'],
    ['PROVIDER_URL', 'https://a.example/?b', 'PROVIDER_URL must not have a query or a fragment'],
    ['DATABASE_URL', 'mysql://h/x', 'DATABASE_URL must start with postgresql://'],
    ['DATABASE_URL', 'postgresql://u%zz:p@h/x', 'DATABASE_URL has a % that starts no escape: write % as %25'],
    ['DATABASE_URL', 'postgresql://u:100%@h/x', 'DATABASE_URL has a % that starts no escape: write % as %25'],
    ['REDIS_URL', 'h:6379', 'REDIS_URL must start with redis:// or rediss://'],
    [
      'REDIS_URL',
      'redis://u:p/p@h:x',
      'REDIS_URL must be a URL: escape special characters of the password as %XX',
    ],
  ])('%s=%s is refused in one line', (name, value, message) => {
    expect(refusalOf({ [name]: value })).toBe(message)
  })

  it.each([
    'PORT',
    'PROVIDER_URL',
    'DATABASE_URL',
    'DATABASE_POOL',
    'ALLOW_LOOPBACK',
    'REDIS_URL',
    'LOG_LEVEL',
  ])('%s: junk of every kind gives one line with its name', (name) => {
    for (const junk of [
      'foo',
      ' ',
      '%',
      '://',
      'http://',
      '\u0000',
      '[',
      'postgresql://[',
      '-1',
      '1e9',
      'ü',
    ]) {
      expect(refusalOf({ [name]: junk })).toMatch(new RegExp(`^${name} .+$`))
    }
  })

  it.each(['HOST', 'DATA_DIR', 'NODE_ENV', 'PORT'])('%s may be empty, as if it were not there', (name) => {
    expect(readConfig({ [name]: '' })).toEqual(readConfig({}))
  })
})

describe('where the Provider listens', () => {
  it('is this machine alone, while its own URL is', () => {
    expect(readConfig({}).host).toBe('127.0.0.1')
    expect(readConfig({ PROVIDER_URL: 'http://localhost:8080/' })).toMatchObject({
      host: '127.0.0.1',
      providerUrl: 'http://localhost:8080',
    })
  })

  it('is every address with a public URL, and what HOST says otherwise', () => {
    expect(readConfig({ PROVIDER_URL: 'https://provider.example' }).host).toBeUndefined()
    expect(readConfig({ HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
  })
})

describe('whether URLs may point to this machine', () => {
  const database = { DATABASE_URL: 'postgresql://u:p@h/x' }
  const production = { NODE_ENV: 'production' }
  it.each([
    [{}, true],
    [production, true],
    [database, true],
    [{ ...database, ...production }, false],
    [{ ...database, ...production, ALLOW_LOOPBACK: '1' }, true],
    [{ ALLOW_LOOPBACK: '0' }, false],
    [{ PROVIDER_URL: 'https://provider.example' }, false],
    [{ PROVIDER_URL: 'https://provider.example', ALLOW_LOOPBACK: 'true' }, true],
  ])('%j: %j', (environment, allowed) => {
    expect(readConfig(environment).allowLoopback).toBe(allowed)
  })
})

describe('the command that starts the demo', () => {
  it('names the address when it is not the one that the demo takes for granted', () => {
    expect(demoCommand(readConfig({}).providerUrl)).toBe('npm run demo')
    expect(demoCommand(readConfig({ PORT: '3077' }).providerUrl)).toBe(
      'PROVIDER_URL=http://localhost:3077 npm run demo',
    )
  })
})
