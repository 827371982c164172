'use server'

import { headers } from 'next/headers'
import { checkHeldReceipt, LONGEST_RECEIPT, type ReceiptVerdict } from '#lib/delegation/check-held-receipt.ts'
import { takeVerification } from '#lib/delegation/verification-limit.ts'
import { clientAddressOf } from '#lib/platform/client-address.ts'
import { texts } from './texts.ts'

/** What was pasted, and what is to say of it; nothing before the first try. */
export type VerifyState = { content: string; verdict?: ReceiptVerdict; error?: string }

/** Verifies what anybody pastes. No one need be signed in, and nothing is stored. */
export async function verifyAction(_state: VerifyState, data: FormData): Promise<VerifyState> {
  // Whoever calls an action by hand can send anything.
  const given = data instanceof FormData ? data.get('receipt') : undefined
  const content = typeof given === 'string' ? given.trim() : ''
  if (content === '') return { content, error: texts.missing }
  if (content.length > LONGEST_RECEIPT) return { content: '', error: texts.tooLong(LONGEST_RECEIPT) }
  const seconds = await takeVerification(clientAddressOf(await headers()) ?? '')
  if (seconds > 0) return { content, error: texts.tooMany(seconds) }
  return { content, verdict: await checkHeldReceipt(content) }
}
