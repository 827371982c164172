import { beforeEach, describe, expect, it } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { forgetConfirmation } from '#lib/platform/revision-cache.ts'
import { listKeys } from './list-keys.ts'
import { findVerificationKey, publishedJwks } from './published-keys.ts'
import { compromiseKey, KeyRefusalError, retireKey, rotateIfDue, rotateKey } from './rotation.ts'
import { runDueRotations } from './scheduler.ts'
import { getSigner } from './signer.ts'

const BRAND = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
const OTHER = '01KAA0B5V7N2E6Y4D8GH5RPKQF'
const brand = { name: 'Brand', description: 'Sells.', agent: {} }

databaseOfThisFile()

beforeEach(async () => {
  await pool().query('TRUNCATE "Brand", "SigningKey", "Grant", "Receipt" CASCADE')
  await prisma().brand.createMany({ data: [BRAND, OTHER].map((id) => ({ id, ...brand })) })
  forgetConfirmation()
})

/** Lets `seconds` pass for every key. */
async function age(seconds: number): Promise<void> {
  const past = (column: string) => `"${column}" = "${column}" - $1 * interval '1 second'`
  const columns = ['createdAt', 'activatedAt', 'retiredAt'].map(past).join(', ')
  await pool().query(`UPDATE "SigningKey" SET ${columns}`, [seconds])
}

const statesOf = async (brandId = BRAND) =>
  Object.fromEntries((await listKeys(brandId)).map(({ kid, state }) => [kid, state]))

const signerNow = () => {
  forgetConfirmation()
  return getSigner(BRAND)
}

/** A rotation from its beginning to its end. */
async function rotateWholly() {
  await rotateKey(BRAND, { force: false })
  await age(600)
  return rotateKey(BRAND, { force: false })
}

async function storeReceipt(issuedAt: Date): Promise<void> {
  await prisma().grant.create({
    data: {
      id: 'g',
      brandId: BRAND,
      personalAgentId: crypto.randomUUID(),
      subject: 's',
      brandUserId: 'u',
      expiresAt: new Date(),
      receipts: {
        create: {
          brandId: BRAND,
          conversationId: crypto.randomUUID(),
          messageId: 'm',
          jws: 'j',
          claims: {},
          issuedAt,
        },
      },
    },
  })
}

describe('a Brand’s first key', () => {
  it('is made when it is first needed: ES256, its kid the thumbprint, without private members', async () => {
    const { kid, alg } = await getSigner(BRAND)
    expect(alg).toBe('ES256')
    const { keys } = await publishedJwks(BRAND)
    expect(keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid,
        alg: 'ES256',
        use: 'sig',
      },
    ])
  })

  it('is one, whoever asks at the same moment', async () => {
    const signers = await Promise.all([
      getSigner(BRAND),
      publishedJwks(BRAND),
      signerNow(),
      publishedJwks(BRAND),
    ])
    const kids = signers.flatMap((each) => ('keys' in each ? each.keys.map(({ kid }) => kid) : [each.kid]))
    expect(new Set(kids).size).toBe(1)
    expect(Object.values(await statesOf())).toEqual(['active'])
  })

  it('verifies for its Brand and for no other', async () => {
    const { kid } = await getSigner(BRAND)
    expect(await findVerificationKey(BRAND, kid)).toBeInstanceOf(CryptoKey)
    expect(await findVerificationKey(OTHER, kid)).toBeUndefined()
    expect(await findVerificationKey(BRAND, 'no-such-key')).toBeUndefined()
  })
})

describe('a rotation', () => {
  it('publishes the next key, and lets it sign only when every copy of the key set has expired', async () => {
    const first = await getSigner(BRAND)
    const begun = await rotateKey(BRAND, { force: false })
    expect(begun.changes).toEqual([{ kid: expect.any(String), from: undefined, to: 'next' }])
    const next = begun.waiting?.kid ?? ''
    forgetConfirmation()
    expect((await publishedJwks(BRAND)).keys.map(({ kid }) => kid)).toEqual([next, first.kid])
    expect((await rotateKey(BRAND, { force: false })).changes).toEqual([])
    expect((await signerNow()).kid).toBe(first.kid)
    await age(311)
    expect(await rotateKey(BRAND, { force: false })).toEqual({
      changes: [
        { kid: first.kid, from: 'active', to: 'retired' },
        { kid: next, from: 'next', to: 'active' },
      ],
      waiting: undefined,
    })
    expect((await signerNow()).kid).toBe(next)
    expect(await findVerificationKey(BRAND, first.kid)).toBeInstanceOf(CryptoKey)
  })

  it('keeps no private half of a key that signs no more', async () => {
    const { kid } = await getSigner(BRAND)
    await rotateWholly()
    expect(await prisma().signingKey.findUniqueOrThrow({ where: { id: kid } })).toMatchObject({
      state: 'retired',
      sealedPrivate: null,
    })
  })

  it('is known to a process that remembers the keys from before', async () => {
    await getSigner(BRAND)
    await publishedJwks(BRAND)
    const { changes } = await rotateKey(BRAND, { force: true })
    const kid = changes.find(({ to }) => to === 'active')?.kid ?? ''
    expect((await publishedJwks(BRAND)).keys).toHaveLength(1)
    expect(await findVerificationKey(BRAND, kid)).toBeInstanceOf(CryptoKey)
  })

  it('at once, in an emergency', async () => {
    const { kid } = await getSigner(BRAND)
    const { changes, waiting } = await rotateKey(BRAND, { force: true })
    expect(changes.map(({ to }) => to)).toEqual(['retired', 'active'])
    expect(waiting).toBeUndefined()
    expect((await signerNow()).kid).not.toBe(kid)
  })

  it('changes nothing of another Brand', async () => {
    const { kid } = await getSigner(OTHER)
    await getSigner(BRAND)
    await rotateWholly()
    expect(await statesOf(OTHER)).toEqual({ [kid]: 'active' })
  })
})

describe('a scheduled rotation', () => {
  beforeEach(() => prisma().brand.update({ where: { id: BRAND }, data: { rotateEveryDays: 1 } }))

  it('publishes ahead of time, activates when due, removes what nothing needs', async () => {
    const { kid } = await getSigner(BRAND)
    await runDueRotations()
    expect(Object.values(await statesOf())).toEqual(['active'])
    await age(86_400 - 300)
    await runDueRotations()
    expect(Object.values(await statesOf()).sort()).toEqual(['active', 'next'])
    await age(311)
    await runDueRotations()
    expect((await statesOf())[kid]).toBe('retired')
    await age(3_700)
    await runDueRotations()
    expect((await statesOf())[kid]).toBe('removed')
    expect(await findVerificationKey(BRAND, kid)).toBeUndefined()
  })

  it('happens once, in however many processes', async () => {
    await getSigner(BRAND)
    await age(86_400)
    await Promise.all([1, 2, 3, 4].map(() => rotateIfDue(BRAND, 1)))
    expect(Object.values(await statesOf()).sort()).toEqual(['active', 'next'])
    await age(600)
    await Promise.all([1, 2, 3, 4].map(() => rotateIfDue(BRAND, 1)))
    expect(Object.values(await statesOf()).sort()).toEqual(['active', 'retired'])
  })

  it('ends what an operator began, for a Brand without a schedule too', async () => {
    await getSigner(OTHER)
    await rotateKey(OTHER, { force: false })
    await age(311)
    await runDueRotations()
    expect(Object.values(await statesOf(OTHER)).sort()).toEqual(['active', 'retired'])
  })

  it('keeps a retired key published for as long as its receipts are kept', async () => {
    const { kid } = await getSigner(BRAND)
    await storeReceipt(new Date(Date.now() - 30 * 86_400_000))
    await rotateWholly()
    await age(9 * 86_400)
    await runDueRotations()
    expect((await statesOf())[kid]).toBe('retired')
    await expect(retireKey(kid)).rejects.toThrow(KeyRefusalError)
    await pool().query('DELETE FROM "Receipt"')
    await runDueRotations()
    expect((await statesOf())[kid]).toBe('removed')
  })
})

describe('retiring and compromising', () => {
  it('a compromised key verifies nothing in any process within a second, and another signs', async () => {
    const { kid } = await getSigner(BRAND)
    expect(await findVerificationKey(BRAND, kid)).toBeInstanceOf(CryptoKey)
    // Written by a connection that knows nothing of this process's memory.
    await compromiseKey(kid)
    const since = performance.now()
    while (await findVerificationKey(BRAND, kid)) {
      expect(performance.now() - since).toBeLessThan(1_000)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect((await getSigner(BRAND)).kid).not.toBe(kid)
    expect((await publishedJwks(BRAND)).keys.map((each) => each.kid)).not.toContain(kid)
    expect(Object.values(await statesOf()).sort()).toEqual(['active', 'compromised'])
  })

  it('the active key does not retire without a successor', async () => {
    const { kid } = await getSigner(BRAND)
    await expect(retireKey(kid)).rejects.toMatchObject({ refusal: { because: 'no-successor' } })
    expect(await statesOf()).toEqual({ [kid]: 'active' })
  })

  it('a key of nobody is refused', async () => {
    await expect(retireKey('nobody')).rejects.toMatchObject({ refusal: { because: 'unknown-key' } })
    await expect(compromiseKey('nobody')).rejects.toMatchObject({ refusal: { because: 'unknown-key' } })
  })
})
