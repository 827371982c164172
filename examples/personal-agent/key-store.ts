import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { z } from 'zod'
import { Problem } from './problem.ts'

const storedSchema = z.object({
  privateJwk: z.object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string(),
    y: z.string(),
    d: z.string(),
    kid: z.string(),
  }),
  subject: z.string().min(1),
})

type Stored = z.infer<typeof storedSchema>

/** What makes this personal agent recognisable. */
export type Identity = {
  privateKey: CryptoKey
  /** As published; `kid` is its thumbprint (RFC 7638). */
  publicJwk: JWK & { kid: string }
  /** `sub` (§3.2): opaque, and the same for as long as the file is kept. */
  subject: string
}

/**
 * The key in `file`, made at the first start. The file is readable by its owner alone (0600), and two programs that start
 * at once end up with the same key.
 *
 * @throws Problem when the file holds something else
 */
export async function loadIdentity(file: string): Promise<Identity> {
  const { privateJwk, subject } = (await readStored(file)) ?? (await createStored(file))
  const { d: _secret, ...publicPart } = privateJwk
  const privateKey = await importJWK(privateJwk, 'ES256')
  if (privateKey instanceof Uint8Array) throw new TypeError('an EC key is never a secret of bytes')
  return { privateKey, publicJwk: { ...publicPart, alg: 'ES256', use: 'sig' }, subject }
}

async function readStored(file: string): Promise<Stored | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Problem(`${file} can't be read: ${error.message}.`, 'Make it readable, or remove it.')
  })
  if (text === undefined) return undefined
  try {
    return storedSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Problem(`${file} holds no key.`, 'Remove it: a new key is made at the next start.', { cause })
  }
}

async function createStored(file: string): Promise<Stored> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  const stored = storedSchema.parse({
    privateJwk: { ...jwk, kid: await calculateJwkThumbprint(jwk) },
    subject: randomUUID(),
  })
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  try {
    // Unlike a rename, a link never replaces the file that another start has just made.
    await link(draft, file)
    return stored
  } catch (error) {
    const other = await readStored(file)
    if (other) return other
    throw error
  } finally {
    await rm(draft)
  }
}
