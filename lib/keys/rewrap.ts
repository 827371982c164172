import { prisma } from '#lib/platform/database.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { listMasterKeys } from './master-key.ts'
import { masterKeyId, ownedByUser, seal, sealedUnder, unseal } from './sealing.ts'

type SealedRow = { id: string; brandId: string; sealedPrivate: Uint8Array<ArrayBuffer> }

async function listSealed(): Promise<SealedRow[]> {
  const rows = await prisma().signingKey.findMany({
    where: { sealedPrivate: { not: null } },
    select: { id: true, brandId: true, sealedPrivate: true },
  })
  return rows.flatMap(({ sealedPrivate, ...row }) => (sealedPrivate ? [{ ...row, sealedPrivate }] : []))
}

/** Only what is still as it was read: a key that another process retired meanwhile stays without its private half. */
function replace({ id, sealedPrivate }: SealedRow, blob: Buffer): Prisma.PrismaPromise<{ count: number }> {
  return prisma().signingKey.updateMany({
    where: { id, sealedPrivate },
    data: { sealedPrivate: new Uint8Array(blob) },
  })
}

type SealedSecret = { id: string; sealedTotp: Uint8Array<ArrayBuffer> }

/** The secrets of console users' authenticator apps. */
async function listSecrets(): Promise<SealedSecret[]> {
  const rows = await prisma().consoleUser.findMany({
    where: { sealedTotp: { not: null } },
    select: { id: true, sealedTotp: true },
  })
  return rows.flatMap(({ id, sealedTotp }) => (sealedTotp ? [{ id, sealedTotp }] : []))
}

function replaceSecret(
  { id, sealedTotp }: SealedSecret,
  blob: Buffer,
): Prisma.PrismaPromise<{ count: number }> {
  return prisma().consoleUser.updateMany({
    where: { id, sealedTotp },
    data: { sealedTotp: new Uint8Array(blob) },
  })
}

/**
 * Seals every private key and every console user's secret that is under another master key under the present one, all or none.
 *
 * @param previous another key that may open them, beside that of `PACT_MASTER_KEY_PREVIOUS`
 * @returns how many were sealed anew, and how many were under the present key already
 * @throws SealError naming the first key that none of the master keys opens; MasterKeyError
 */
export async function rewrapKeys(previous?: Buffer): Promise<{ rewrapped: number; unchanged: number }> {
  const [current, ...older] = await listMasterKeys()
  if (!current) throw new Error('there is no master key')
  const masterKeys = [current, ...older, ...(previous ? [previous] : [])]
  const sealed = await listSealed()
  const foreign = sealed.filter((row) => sealedUnder(row.sealedPrivate) !== masterKeyId(current))
  const writes = foreign.map((row) => {
    const owner = { brandId: row.brandId, kid: row.id }
    return replace(row, seal(unseal(row.sealedPrivate, masterKeys, owner), current, owner))
  })
  const secrets = await listSecrets()
  const foreignSecrets = secrets.filter((row) => sealedUnder(row.sealedTotp) !== masterKeyId(current))
  const secretWrites = foreignSecrets.map((row) => {
    const owner = ownedByUser(row.id)
    return replaceSecret(row, seal(unseal(row.sealedTotp, masterKeys, owner), current, owner))
  })
  const results = await prisma().$transaction([...writes, ...secretWrites])
  const rewrapped = results.reduce((sum, { count }) => sum + count, 0)
  const all = sealed.length + secrets.length
  return { rewrapped, unchanged: all - foreign.length - foreignSecrets.length }
}
