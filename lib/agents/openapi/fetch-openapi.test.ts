import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBrandApi, type TestBrandApi } from '#e2e/harness/brand-api.ts'
import { fetchOpenApi } from './fetch-openapi.ts'
import { MAX_DOCUMENT_BYTES } from './read-openapi.ts'

let api: TestBrandApi

beforeAll(async () => {
  api = await startBrandApi()
})
afterAll(() => api.close())

const reach = { allowLoopback: true }

describe('fetching an OpenAPI document', () => {
  it('brings its text, whatever its type', async () => {
    api.answerWith(() => ({ raw: 'openapi: 3.1.0', headers: { 'Content-Type': 'text/plain' } }))
    expect(await fetchOpenApi(`${api.origin}/openapi.yaml`, reach)).toEqual({
      ok: true,
      text: 'openapi: 3.1.0',
    })
    expect(api.calls.at(-1)?.headers.accept).toContain('application/yaml')
  })

  it.each([
    [{ status: 302, headers: { Location: '/b' } }, 'The address leads to another one: give that.'],
    [{ status: 404, json: {} }, 'The address answers with status 404.'],
    [{ raw: 'x'.repeat(MAX_DOCUMENT_BYTES + 1) }, 'The document is larger than 2 MiB.'],
  ])('%.40j is told in words', async (answer, reason) => {
    api.answerWith(() => answer)
    expect(await fetchOpenApi(`${api.origin}/a`, reach)).toEqual({ ok: false, reason })
  })

  it.each([
    ['nonsense', /must be an absolute URL/],
    ['http://example.com/a', /must start with https/],
    ['https://169.254.169.254/latest', /private or reserved/],
    ['https://user:secret@example.com/', /user name/],
    ['https://nowhere.invalid/', /can not be reached/],
  ])('%s is told in words', async (url, reason) => {
    expect(await fetchOpenApi(url, reach)).toEqual({ ok: false, reason: expect.stringMatching(reason) })
  })

  it('this machine is asked only where that is allowed', async () => {
    const before = api.calls.length
    expect(await fetchOpenApi(`${api.origin}/a`, { allowLoopback: false })).toMatchObject({ ok: false })
    expect(api.calls).toHaveLength(before)
  })
})
