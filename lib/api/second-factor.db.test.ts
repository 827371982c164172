import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, startTestApi, type TestApi } from '#e2e/harness/api.ts'
import { prisma } from '#lib/platform/database.ts'

let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
}, 60_000)
afterAll(() => api.close())

const demand = (adminsNeedSecondFactor: boolean) =>
  prisma().provider.update({ where: { id: 1 }, data: { adminsNeedSecondFactor } })

const read = (token: string) => callApi(token, 'GET', '/brands')

it('an admin’s token is for nothing while a second factor is demanded that they do not have', async () => {
  const { admin, auditor, manager } = api.users
  const where = { id: admin.viewer.userId }
  await prisma().consoleUser.update({ where, data: { passwordHash: 'x' } })
  expect((await read(admin.token)).status).toBe(200)
  await demand(true)
  const refused = await read(admin.token)
  expect([refused.status, refused.body]).toEqual([
    403,
    {
      type: 'http://localhost:3000/api/v1/problems/second-factor-required',
      title: 'The owner of the token has no second factor',
      status: 403,
    },
  ])
  expect((await callApi(admin.token, 'POST', '/brands', { body: {} })).status).toBe(403)
  for (const { token } of [auditor, manager]) expect((await read(token)).status).toBe(200)
  await prisma().consoleUser.update({ where, data: { sealedTotp: new Uint8Array(1) } })
  expect((await read(admin.token)).status).toBe(200)
  await prisma().consoleUser.update({ where, data: { sealedTotp: null, passwordHash: null } })
  // Single sign-on has its own.
  expect((await read(admin.token)).status).toBe(200)
  await prisma().consoleUser.update({ where, data: { passwordHash: 'x' } })
  await demand(false)
  expect((await read(admin.token)).status).toBe(200)
})
