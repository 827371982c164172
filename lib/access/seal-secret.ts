import { getMasterKey, listMasterKeys } from '#lib/keys/master-key.ts'
import { ownedByUser, seal, unseal } from '#lib/keys/sealing.ts'

/** Seals a console user's secret under the master key; it opens for no other user. @throws MasterKeyError */
export async function sealSecret(secret: string, userId: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(seal(Buffer.from(secret), await getMasterKey(), ownedByUser(userId)))
}

/** Opens what {@link sealSecret} sealed. @throws SealError, MasterKeyError */
export async function openSecret(sealed: Uint8Array, userId: string): Promise<string> {
  return unseal(sealed, await listMasterKeys(), ownedByUser(userId)).toString()
}
