import { test } from 'vitest'
import { readTarget } from './environment.ts'
import { readOwnEnvironment } from './own-environment.ts'
import { Provider } from './provider.ts'

/** How strongly the specification says it (RFC 2119). */
export type Level = 'MUST' | 'MUST NOT' | 'SHOULD'

/** One requirement of the specification, as the table shows it. */
export type Requirement = { section: string; level: Level; text: string }

declare module 'vitest' {
  interface TaskMeta {
    requirement?: Requirement
  }
}

/** Enough for a few waits of `Retry-After`. */
const TIMEOUT_MS = 300_000

const withProvider = test
  .extend('environment', { scope: 'file' }, process.env)
  .extend('provider', { scope: 'file' }, async ({ environment }, { onCleanup }) => {
    const target = readTarget(environment)
    if (target) return Provider.find(target)
    const { startOwnProvider } = await import('./own-provider.ts')
    const own = await startOwnProvider(readOwnEnvironment(environment))
    onCleanup(() => own.close())
    return Provider.find(own.target)
  })

/** Ends the test: the requirement can't be provoked on this Provider. The reason stands in the table. */
export type NotTested = (reason: string) => never

export type Check = (provider: Provider, notTested: NotTested) => Promise<void> | void

function requirement(level: Level) {
  return (section: string, text: string, check: Check): void => {
    const meta = { requirement: { section, level, text } }
    withProvider(
      `§${section} ${level}: ${text}`,
      { meta, timeout: TIMEOUT_MS },
      async ({ provider, skip }) => {
        await check(provider, (reason) => skip(reason))
      },
    )
  }
}

/** Registers one test: the Provider must do this. */
export const must = requirement('MUST')
/** Registers one test: the Provider must not do this. */
export const mustNot = requirement('MUST NOT')
/** Registers one test: the Provider should do this. */
export const should = requirement('SHOULD')

/** Lists a requirement that no test can show over the wire, or that binds somebody else. */
export function listed(section: string, level: Level, text: string, reason: string): void {
  const meta = { requirement: { section, level, text } }
  test(`§${section} ${level}: ${text}`, { meta }, ({ skip }) => skip(reason))
}
