import type { Brand } from '#lib/brands/brand.ts'
import type { Account } from '#lib/delegation/assertion.ts'
import { findRecentWithdrawal } from '#lib/delegation/grant-changes.ts'
import { revokeGrant, withdrawScope } from '#lib/delegation/grants.ts'
import { describeScope } from '#lib/delegation/scopes.ts'
import { makeVisible } from '#lib/platform/text.ts'
import type { Form } from './form.ts'

/**
 * Takes back a scope or a grant, as a form says.
 *
 * @returns undefined when the form asks for neither; the grant's id, or undefined when there was nothing to take back
 */
export function takeBack(
  brandId: string,
  { brandUserId }: Account,
  form: Form,
): Promise<string | undefined> | undefined {
  const action = form.fields.get('action')
  const grantId = form.fields.get('grant')
  const [scope] = form.scopes
  if (grantId === undefined) return undefined
  const owner = { brandId, grantId, brandUserId, by: 'user' } as const
  const idIf = (taken: boolean) => (taken ? grantId : undefined)
  if (action === 'revoke') return revokeGrant(owner).then(idIf)
  if (action !== 'withdraw' || scope === undefined) return undefined
  return withdrawScope({ ...owner, scope }).then(idIf)
}

/**
 * Says what has just been taken back, as the grant's history has it: an address alone claims nothing.
 *
 * @param done what the address says: the id of the grant, anything else when nothing was there to take back
 */
export async function describeDone(
  { id: brandId, delegation }: Brand,
  done: string | undefined,
  brandUserId: string,
): Promise<string | undefined> {
  if (done === undefined || done.includes('\0')) return undefined
  const taken = await findRecentWithdrawal({ brandId, grantId: done, brandUserId })
  if (!taken) return 'This is everything that is allowed at this moment.'
  const scopes = taken.scopes.map((scope) => describeScope(scope, delegation))
  return `Withdrawn from ${makeVisible(taken.personalAgent.name)}: ${scopes.join('; ')}. It counts from this moment.`
}
