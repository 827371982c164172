import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { compactVerify, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDatabase } from '#e2e/harness/database.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase, prisma } from '#lib/platform/database.ts'
import { findVerificationKey } from './published-keys.ts'
import { rotateKey } from './rotation.ts'

const root = join(import.meta.dirname, '../..')
const BRAND = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'

let database: Awaited<ReturnType<typeof freshDatabase>>

beforeAll(async () => {
  database = await freshDatabase()
  setDatabaseUrl(database.url)
  await prisma().brand.create({ data: { id: BRAND, name: 'Brand', description: 'Sells.', agent: {} } })
})

afterAll(async () => {
  await closeDatabase()
  await database.drop()
})

/** Signs and prints tokens, one a line, until its input ends. */
const signing = `
  import { CompactSign } from 'jose'
  import { closeDatabase } from '#lib/platform/database.ts'
  import { getSigner } from '#lib/keys/signer.ts'
  let open = true
  process.stdin.on('end', () => { open = false }).resume()
  while (open) {
    const { kid, alg, privateKey } = await getSigner('${BRAND}')
    console.log(await new CompactSign(new TextEncoder().encode('x')).setProtectedHeader({ alg, kid }).sign(privateKey))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await closeDatabase()`

describe('rotations while traffic flows', () => {
  it('fail no signature: two processes sign and verify, and every one passes', {
    timeout: 30_000,
  }, async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', signing], {
      cwd: root,
      env: { ...process.env, DATABASE_URL: database.url },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const kids = new Set<string>()
    let verified = 0
    const verifying = (async () => {
      for await (const token of createInterface({ input: child.stdout })) {
        const kid = decodeProtectedHeader(token).kid ?? ''
        const key = await findVerificationKey(BRAND, kid)
        if (!key) throw new Error(`no key ${kid}`)
        await compactVerify(token, key)
        kids.add(kid)
        verified++
      }
    })()
    const rotating = (async () => {
      while (verified === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      // Without waiting, even: the key is looked up where it is not remembered.
      for (let round = 0; round < 3; round++) {
        await rotateKey(BRAND, { force: true })
        await new Promise((resolve) => setTimeout(resolve, 1_200))
      }
      child.stdin.end()
    })()
    await Promise.all([verifying, rotating])
    expect(kids.size).toBeGreaterThanOrEqual(4)
    expect(verified).toBeGreaterThan(100)
  })
})
