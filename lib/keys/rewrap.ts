import { prisma } from '#lib/platform/database.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { listMasterKeys } from './master-key.ts'
import {
  masterKeyId,
  ownedByAgent,
  ownedByUser,
  type SealedFor,
  seal,
  sealedUnder,
  unseal,
} from './sealing.ts'

/** A secret as it is stored, and what puts another in its place, unless it has changed meanwhile. */
type Sealed = {
  owner: SealedFor
  blob: Uint8Array<ArrayBuffer>
  replace(blob: Uint8Array<ArrayBuffer>): Prisma.PrismaPromise<{ count: number }>
}

/** A key that another process retired meanwhile stays without its private half. */
async function listSigningKeys(): Promise<Sealed[]> {
  const rows = await prisma().signingKey.findMany({
    where: { sealedPrivate: { not: null } },
    select: { id: true, brandId: true, sealedPrivate: true },
  })
  return rows.flatMap(({ id, brandId, sealedPrivate }) =>
    sealedPrivate
      ? {
          owner: { brandId, kid: id },
          blob: sealedPrivate,
          replace: (blob) =>
            prisma().signingKey.updateMany({ where: { id, sealedPrivate }, data: { sealedPrivate: blob } }),
        }
      : [],
  )
}

/** The secrets of console users' authenticator apps. */
async function listUserSecrets(): Promise<Sealed[]> {
  const rows = await prisma().consoleUser.findMany({
    where: { sealedTotp: { not: null } },
    select: { id: true, sealedTotp: true },
  })
  return rows.flatMap(({ id, sealedTotp }) =>
    sealedTotp
      ? {
          owner: ownedByUser(id),
          blob: sealedTotp,
          replace: (blob) =>
            prisma().consoleUser.updateMany({ where: { id, sealedTotp }, data: { sealedTotp: blob } }),
        }
      : [],
  )
}

async function listAgentSecrets(): Promise<Sealed[]> {
  const rows = await prisma().agentSecret.findMany({ select: { brandId: true, name: true, sealed: true } })
  return rows.map(({ brandId, name, sealed }) => ({
    owner: ownedByAgent(brandId, name),
    blob: sealed,
    replace: (blob) =>
      prisma().agentSecret.updateMany({ where: { brandId, name, sealed }, data: { sealed: blob } }),
  }))
}

/**
 * Seals every private key and every secret that is under another master key under the present one, all or none.
 *
 * @param previous another key that may open them, beside that of `PACT_MASTER_KEY_PREVIOUS`
 * @returns how many were sealed anew, and how many were under the present key already
 * @throws SealError naming the first key that none of the master keys opens; MasterKeyError
 */
export async function rewrapKeys(previous?: Buffer): Promise<{ rewrapped: number; unchanged: number }> {
  const [current, ...older] = await listMasterKeys()
  if (!current) throw new Error('there is no master key')
  const masterKeys = [current, ...older, ...(previous ? [previous] : [])]
  const all = [...(await listSigningKeys()), ...(await listUserSecrets()), ...(await listAgentSecrets())]
  const foreign = all.filter(({ blob }) => sealedUnder(blob) !== masterKeyId(current))
  const writes = foreign.map(({ owner, blob, replace }) =>
    replace(new Uint8Array(seal(unseal(blob, masterKeys, owner), current, owner))),
  )
  const results = await prisma().$transaction(writes)
  const rewrapped = results.reduce((sum, { count }) => sum + count, 0)
  return { rewrapped, unchanged: all.length - foreign.length }
}
