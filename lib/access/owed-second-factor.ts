import { prisma } from '#lib/platform/database.ts'
import type { ConsoleUser } from '#prisma/generated/client.ts'

/** A console user with the second factors that they have: `passkeys` holds one at least if there are any. */
type WithFactors = Pick<ConsoleUser, 'providerRole' | 'sealedTotp'> & { passkeys: readonly unknown[] }

/** Whether a console user has a second factor. */
export function hasSecondFactor({ sealedTotp, passkeys }: WithFactors): boolean {
  return sealedTotp !== null || passkeys.length > 0
}

/** Whether the Provider demands a second factor of a user who has none. How they sign in is not looked at. */
export async function owesSecondFactor(user: WithFactors): Promise<boolean> {
  if (user.providerRole !== 'admin' || hasSecondFactor(user)) return false
  const provider = await prisma().provider.findUnique({
    where: { id: 1 },
    select: { adminsNeedSecondFactor: true },
  })
  return provider?.adminsNeedSecondFactor ?? false
}
