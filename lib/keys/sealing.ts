import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/** The form of a sealed blob: version (1 byte), master key's id (8), nonce (12), ciphertext, tag (16). */
const VERSION = 1
const ID_LENGTH = 8
const NONCE_LENGTH = 12
const TAG_LENGTH = 16
const HEADER_LENGTH = 1 + ID_LENGTH
const CIPHER = 'aes-256-gcm'

/** A private key can't be opened: it was sealed under another master key, or was changed since. One line. */
export class SealError extends Error {
  override name = 'SealError'
}

/** The signing key that a blob belongs to: sealed for one, it opens for no other. */
export type SealedFor = { brandId: string; kid: string }

/** A console user as the owner of a sealed secret. No Brand has this id: it opens as no Brand's signing key. */
export function ownedByUser(userId: string): SealedFor {
  return { brandId: 'console', kid: userId }
}

/** A secret of a Brand's agent. No signing key has such a `kid`: it opens as none. */
export function ownedByAgent(brandId: string, name: string): SealedFor {
  return { brandId, kid: `agent:${name}` }
}

/** What tells a master key from others and gives nothing of it away; in hexadecimal. */
export function masterKeyId(masterKey: Buffer): string {
  return createHmac('sha256', masterKey)
    .update('pact-provider master key id')
    .digest()
    .subarray(0, ID_LENGTH)
    .toString('hex')
}

function associatedData(header: Uint8Array, { brandId, kid }: SealedFor): Buffer {
  return Buffer.concat([header, Buffer.from(JSON.stringify([brandId, kid]))])
}

/**
 * Seals a private key with AES-256-GCM, bound to its Brand and `kid`.
 *
 * @param masterKey 32 bytes
 * @returns the blob for the database; it names the master key by its id
 */
export function seal(plain: Uint8Array, masterKey: Buffer, owner: SealedFor): Buffer {
  const header = Buffer.concat([Buffer.from([VERSION]), Buffer.from(masterKeyId(masterKey), 'hex')])
  const nonce = randomBytes(NONCE_LENGTH)
  const cipher = createCipheriv(CIPHER, masterKey, nonce, { authTagLength: TAG_LENGTH })
  cipher.setAAD(associatedData(header, owner))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([header, nonce, sealed, cipher.getAuthTag()])
}

/** The id of the master key that a blob was sealed under. @throws SealError for what is no such blob */
export function sealedUnder(blob: Uint8Array): string {
  if (blob[0] !== VERSION || blob.length <= HEADER_LENGTH + NONCE_LENGTH + TAG_LENGTH) {
    throw new SealError('A stored signing key is not in a form that this version knows')
  }
  return Buffer.from(blob.subarray(1, HEADER_LENGTH)).toString('hex')
}

/**
 * Opens a sealed private key.
 *
 * @param masterKeys those that it may have been sealed under
 * @throws SealError when it was sealed under none of them, for another key, or was changed
 */
export function unseal(blob: Uint8Array, masterKeys: readonly Buffer[], owner: SealedFor): Buffer {
  const id = sealedUnder(blob)
  const masterKey = masterKeys.find((key) => masterKeyId(key) === id)
  if (!masterKey) {
    throw new SealError(
      `The signing key ${owner.kid} is sealed under another master key: check PACT_MASTER_KEY and PACT_MASTER_KEY_PREVIOUS`,
    )
  }
  const nonce = blob.subarray(HEADER_LENGTH, HEADER_LENGTH + NONCE_LENGTH)
  const decipher = createDecipheriv(CIPHER, masterKey, nonce, { authTagLength: TAG_LENGTH })
  decipher.setAAD(associatedData(blob.subarray(0, HEADER_LENGTH), owner))
  decipher.setAuthTag(blob.subarray(-TAG_LENGTH))
  try {
    return Buffer.concat([
      decipher.update(blob.subarray(HEADER_LENGTH + NONCE_LENGTH, -TAG_LENGTH)),
      decipher.final(),
    ])
  } catch {
    throw new SealError(`The signing key ${owner.kid} as it is stored was changed: it can't be opened`)
  }
}
