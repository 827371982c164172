'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { type FormState, typedValues } from '#components/console/form-state.ts'
import { newTokenSchema } from '#lib/access/api-token-schema.ts'
import { MOST_TOKENS, makeApiToken, revokeOwnToken, TooManyTokensError } from '#lib/access/api-tokens.ts'
import { ForbiddenError, may } from '#lib/access/permissions.ts'
import { checkSchema } from '#lib/provisioning/describe-issues.ts'
import { errorsOf, handleForm } from '../../form-action.ts'
import { actorOf, requireViewer } from '../../viewer.ts'
import { texts } from './texts.ts'

const path = '/admin/api'

function readTokenForm(data: FormData): unknown {
  const brandId = String(data.get('brandId') ?? '')
  return {
    name: data.get('name') ?? '',
    days: Number(data.get('days')),
    permissions: data.getAll('permissions'),
    ...(brandId ? { brandId } : {}),
  }
}

/** Makes a token of the viewer's own. It comes back this once, among the values. */
export const makeToken = handleForm(async (_state, data) => {
  const viewer = await requireViewer()
  const values = { ...typedValues(data), permissions: data.getAll('permissions').map(String) }
  const invalid = (errors: FormState['errors']): FormState => ({ status: 'invalid', errors, values })
  const checked = checkSchema(newTokenSchema, readTokenForm(data))
  if (!checked.ok) return invalid(errorsOf(checked.findings))
  const { brandId, name } = checked.value
  if (brandId !== undefined && !may(viewer, 'brands.read', brandId))
    return invalid({ brandId: [texts.notYourBrand] })
  try {
    const { token } = await makeApiToken(viewer, await actorOf(viewer), checked.value)
    revalidatePath(path)
    return { status: 'done', errors: {}, values: { token, name } }
  } catch (error) {
    if (error instanceof TooManyTokensError) return invalid({ '': [texts.tooMany(MOST_TOKENS)] })
    if (error instanceof ForbiddenError) return invalid({ permissions: [texts.notYours] })
    throw error
  }
})

/** Ends one of the viewer's own tokens. */
export const revokeToken = handleForm(async (_state, data) => {
  const viewer = await requireViewer()
  const id = z.uuid().safeParse(data.get('token'))
  const revoked = id.success && (await revokeUnlessForeign(viewer, id.data))
  revalidatePath(path)
  const message = revoked ? texts.revoked : texts.revokedBefore
  return { status: revoked ? 'done' : 'failed', message, errors: {}, values: {} }
})

async function revokeUnlessForeign(
  viewer: Awaited<ReturnType<typeof requireViewer>>,
  id: string,
): Promise<boolean> {
  try {
    return await revokeOwnToken(viewer, await actorOf(viewer), id)
  } catch (error) {
    if (error instanceof ForbiddenError) return false
    throw error
  }
}
