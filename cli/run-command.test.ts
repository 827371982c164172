import { describe, expect, it } from 'vitest'
import { runPact } from '#e2e/harness/pact-command.ts'

const pact = (...args: string[]) => runPact({}, args)

describe('pact', () => {
  it('shows its commands where it is asked for help, and ends with 0', async () => {
    const { code, out, err } = await pact('--help')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const name of ['apply', 'keys', 'migrate', 'audit'])
      expect(out).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
    expect((await pact('keys', '--help')).out).toMatch(/^ {2}rotate\b/m)
  })

  it.each([
    [[], /^Usage: pact /],
    [['keys'], /^Usage: pact keys /],
    [['fly'], /^error: unknown command 'fly'\n/],
    [['keys', 'list', '--all'], /^error: unknown option '--all'\nAdd --help for what can be said\.\n$/],
    [['keys', 'retire'], /^error: missing required argument 'kid'\n/],
  ])('says what is wrong with %j, and ends with 1', async (args, told) => {
    const { code, out, err } = await pact(...args)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(told)
  })
})
