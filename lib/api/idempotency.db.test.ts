import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, startTestApi, type TestApi, tokenOf } from '#e2e/harness/api.ts'
import { BRAND_ID } from '#e2e/harness/provision.ts'
import { cleanExpired } from '#lib/delegation/cleaning.ts'
import { prisma } from '#lib/platform/database.ts'
import { runOnce } from './idempotency.ts'

let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
}, 60_000)
afterAll(() => api.close())

const bodyFor = (email: string) => ({ email, roles: [{ brand: BRAND_ID, role: 'viewer' }] })
const invite = (key: string, email: string, token = api.users.admin.token) =>
  callApi(token, 'POST', '/invitations', { body: bodyFor(email), headers: { 'Idempotency-Key': key } })
const count = (email: string) => prisma().invitation.count({ where: { email } })

it('what comes several times at one moment is done once, and each gets the one answer in the end', async () => {
  const email = 'at-once@brand.example'
  const answers = await Promise.all(Array.from({ length: 6 }, () => invite('"at-once"', email)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status !== 409)).not.toEqual([])
  expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([])
  expect(await count(email)).toBe(1)
  const first = answers.find(({ status }) => status === 201)
  const again = await invite('at-once', email)
  expect(again.text).toBe(first?.text)
  expect(again.body.link).toContain('token=')
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  expect(await count(email)).toBe(1)
})

it('a key is for one request of one token', async () => {
  expect((await invite('k1', 'one@brand.example')).status).toBe(201)
  expect((await invite('k1', 'two@brand.example')).status).toBe(422)
  const other = await tokenOf(api.users.admin.viewer)
  expect((await invite('k1', 'two@brand.example', other.token)).status).toBe(201)
  for (const bad of ['', '"', 'ä', 'x'.repeat(256)])
    expect((await invite(bad, 'three@brand.example')).status, bad).toBe(400)
})

it('a problem frees its key: nothing was done', async () => {
  const body = { name: 'P', issuer: 'https://p.example', jwksUri: 'https://p.example/jwks.json' }
  const { token } = api.users.admin
  const register = () =>
    callApi(token, 'POST', '/personal-agents', { body, headers: { 'Idempotency-Key': 'freed' } })
  const { id } = await prisma().personalAgent.create({ data: body })
  expect((await register()).status).toBe(409)
  await prisma().personalAgent.delete({ where: { id } })
  expect((await register()).status).toBe(201)
})

it('after an error that nobody expected the request is not run again', async () => {
  const { viewer, tokenId } = api.users.admin
  const caller = { tokenId, viewer, actor: { kind: 'token', name: 'test' } as const, owesSecondFactor: false }
  const request = new Request('http://localhost/api/v1/x', {
    method: 'POST',
    headers: { 'Idempotency-Key': 'crash' },
  })
  let runs = 0
  const run = async (): Promise<Response> => {
    runs += 1
    throw new Error('half done')
  }
  const once = () => runOnce(request, '', caller, { run, changesNothing: () => false })
  await expect(once()).rejects.toThrow('half done')
  await expect(once()).rejects.toMatchObject({ kind: 'in-progress' })
  expect(runs).toBe(1)
})

it('what is kept is sealed, and deleted after a day', async () => {
  const { body } = await invite('sealed', 'sealed@brand.example')
  const key = 'sealed'
  const stored = await prisma().idempotentAnswer.findFirstOrThrow({ where: { key } })
  expect(stored.status).toBe(201)
  expect(JSON.stringify(stored.body)).not.toContain(body.link)
  await prisma().idempotentAnswer.updateMany({
    where: { key },
    data: { createdAt: new Date(Date.now() - 86_500_000) },
  })
  await cleanExpired()
  expect(await prisma().idempotentAnswer.count({ where: { key } })).toBe(0)
  expect((await invite(key, 'another@brand.example')).status).toBe(201)
})
