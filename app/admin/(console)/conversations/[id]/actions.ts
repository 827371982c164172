'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { closeConversation } from '#lib/conversations/close-conversation.ts'
import { formAction } from '../../../form-action.ts'
import { texts } from '../texts.ts'

const close = formAction({
  permission: 'conversations.write',
  brandOf: (data) => String(data.get('brandId')),
  schema: z.object({ brandId: brandIdSchema, id: z.uuid() }),
  async run({ id }, { viewer, actor }) {
    const closed = await closeConversation(viewer, actor, id)
    revalidatePath(`/admin/conversations/${id}`)
    return { status: 'done', message: closed ? texts.detail.closed : texts.detail.closedBefore }
  },
})

export async function closeAction(...given: Parameters<typeof close>) {
  return close(...given)
}
