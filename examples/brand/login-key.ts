import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { z } from 'zod'

const privateJwkSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
  kid: z.string(),
})

type PrivateJwk = z.infer<typeof privateJwkSchema>

/** The key with which the Brand's login signs its assertions. */
export type LoginKey = {
  privateKey: CryptoKey
  /** As published; `kid` is its thumbprint (RFC 7638). */
  publicJwk: JWK & { kid: string }
}

/**
 * The key in `file`, made at the first start and readable by its owner alone (0600).
 *
 * @throws when the file holds something else
 */
export async function loadLoginKey(file: string): Promise<LoginKey> {
  const { d, ...publicPart } = (await readStored(file)) ?? (await createStored(file))
  const privateKey = await importJWK({ ...publicPart, d }, 'ES256')
  if (privateKey instanceof Uint8Array) throw new TypeError('an EC key is never a secret of bytes')
  return { privateKey, publicJwk: { ...publicPart, alg: 'ES256', use: 'sig' } }
}

async function readStored(file: string): Promise<PrivateJwk | undefined> {
  try {
    return privateJwkSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new Error(`${file} holds no key: remove it, and a new one is made`, { cause: error })
  }
}

async function createStored(file: string): Promise<PrivateJwk> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  const stored = privateJwkSchema.parse({ ...jwk, kid: await calculateJwkThumbprint(jwk) })
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  return stored
}
