import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { isStorable } from '#lib/platform/text.ts'

const text = z.string().max(100_000).refine(isStorable)
const answer = { id: text.min(1).max(2_000), rawId: text, type: z.literal('public-key') }

/** Only the shape: what it holds is verified by the library. */
export const creationSchema = z.custom<RegistrationResponseJSON>(
  (value) =>
    z
      .looseObject({ ...answer, response: z.looseObject({ clientDataJSON: text, attestationObject: text }) })
      .safeParse(value).success,
)

/** As {@link creationSchema}, for a passkey that is used. */
export const usageSchema = z.custom<AuthenticationResponseJSON>(
  (value) =>
    z
      .looseObject({
        ...answer,
        response: z.looseObject({ clientDataJSON: text, authenticatorData: text, signature: text }),
      })
      .safeParse(value).success,
)
