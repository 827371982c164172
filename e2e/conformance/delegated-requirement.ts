import { Delegation } from './delegation.ts'
import { must, mustNot, type NotTested, should } from './requirement.ts'

export type DelegatedCheck = (delegation: Delegation, notTested: NotTested) => Promise<void> | void

/** Registers one test of §5, which runs where the card offers delegated authority. */
function delegated(register: typeof must) {
  return (section: string, text: string, check: DelegatedCheck): void => {
    register(section, text, async (provider, notTested) => {
      await check(await Delegation.find(provider, notTested), notTested)
    })
  }
}

export const mustDelegated = delegated(must)
export const mustNotDelegated = delegated(mustNot)
export const shouldDelegated = delegated(should)
