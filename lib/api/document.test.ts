import { validate } from '@scalar/openapi-parser'
import { describe, expect, it } from 'vitest'
import { permissions } from '#lib/access/permissions.ts'
import { checkSchema } from '#lib/provisioning/describe-issues.ts'
import { getDocument } from './document.ts'
import { tags } from './operation.ts'
import { operations } from './operations.ts'

describe('the API’s document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await validate(getDocument())
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
  })

  it('names each operation once, with a summary, a permission and its part', () => {
    const all = operations()
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(new Set(all.map(({ method, path }) => `${method} ${path}`)).size).toBe(all.length)
    for (const { id, summary, permission, tag } of all) {
      expect(summary.length, id).toBeGreaterThan(5)
      expect(permissions, id).toContain(permission)
      expect(tags, id).toContain(tag)
    }
  })

  it('has a schema for each variable of a path, and refers to nothing that is missing', () => {
    for (const { id, path, params } of operations()) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(Object.keys(params?.shape ?? {}).sort(), id).toEqual(names.sort())
    }
    const document = getDocument()
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref ?? '')
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
    expect(refs.filter((ref) => !known.includes(ref))).toEqual([])
  })

  it('gives examples that its schemas accept', () => {
    for (const { id, body, example } of operations()) {
      if (body && example !== undefined) expect(checkSchema(body, example), id).toMatchObject({ ok: true })
    }
  })

  it('demands If-Match of what replaces a thing that has a version, and an Idempotency-Key is for what changes', () => {
    const { paths } = getDocument()
    const headersOf = (path: string, method: 'put' | 'post') =>
      paths[path]?.[method]?.parameters?.filter((each) => each.in === 'header').map(({ name }) => name)
    expect(headersOf('/brands/{brandId}', 'put')).toEqual(['If-Match'])
    expect(headersOf('/invitations', 'post')).toEqual(['Idempotency-Key'])
    expect(headersOf('/receipts/verify', 'post') ?? []).toEqual([])
  })
})
