import type { Cast } from './contract.ts'
import type { BenchProvider } from './database.ts'
import { type Approved, approveAll, DelegationStock } from './delegation-stock.ts'
import { chooseMeasured, type TargetName } from './kinds.ts'
import type { BenchOptions } from './options.ts'
import { type Drive, SETTLE, SLICE } from './rounds.ts'
import { REFRESH_TOKENS } from './stock.ts'

/** More tokens a second than any server here issues: so many approved codes await each measurement. */
const MOST_ISSUED = 8_000

/** What the half of §5 needs before it is measured. */
export type OpenedDelegation = Approved & {
  /** Drives, and afterwards approves as many codes as were redeemed, outside what is measured. */
  supply(drive: Drive): Drive
}

/** Whether a run measures anything of §5. */
export function measuresDelegation({ only, messages }: BenchOptions): boolean {
  return messages === undefined && chooseMeasured(only).kinds.some(({ part }) => part === 'delegation')
}

/** Fills a Provider with grants, codes and refresh tokens for every server under test. */
export async function openDelegation(
  provider: BenchProvider,
  names: readonly TargetName[],
  { connections }: Pick<BenchOptions, 'connections'>,
  { subjects, issuer }: Pick<Cast, 'subjects' | 'issuer'>,
): Promise<OpenedDelegation> {
  const approved = await approveAll(provider, { users: subjects, issuer })
  const stock = new DelegationStock(provider, subjects)
  const amounts = {
    refreshTokens: connections * REFRESH_TOKENS,
    approvedCodes: Math.ceil(MOST_ISSUED * (SETTLE + SLICE)),
  }
  for (const name of names) await stock.open(name, amounts)
  return {
    ...approved,
    supply: (drive) => async (load) => {
      const measured = await drive(load)
      if (load.kind === 'issue') await stock.addApproved(load.stock, measured.sent)
      return measured
    },
  }
}
