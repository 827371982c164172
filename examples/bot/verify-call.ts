import { type FlattenedVerifyGetKey, flattenedVerify } from 'jose'

/** The call's id, once it is certain that the Brand's Provider sent this very body to this very URL, within the last minute. */
export async function verifyCall(
  signature: string,
  body: Uint8Array,
  url: string,
  keys: FlattenedVerifyGetKey,
  typ: 'pact-webhook+jws' | 'pact-rehearsal+jws' = 'pact-webhook+jws',
): Promise<string> {
  const [header = '', , value = ''] = signature.split('.')
  const call = { protected: header, payload: body, signature: value }
  const { protectedHeader: said = {} } = await flattenedVerify(call, keys, { algorithms: ['ES256'] })
  const isFresh = Number(said.exp) > Date.now() / 1000
  if (said.typ !== typ || said.url !== url || !isFresh) throw new Error('not a call of ours')
  return String(said.jti)
}
