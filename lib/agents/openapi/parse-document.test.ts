import { describe, expect, it } from 'vitest'
import { parseDocument } from './parse-document.ts'

describe('what is no OpenAPI 3 document', () => {
  it.each([
    ['', /is not an OpenAPI 3 document/],
    ['null', /is not an OpenAPI 3 document/],
    ['[]', /is not an OpenAPI 3 document/],
    ['<html>', /is not an OpenAPI 3 document/],
    ['{"openapi": "3.1.0"', /is neither JSON nor YAML/],
    ['a: [', /is neither JSON nor YAML/],
    ['a: 1\na: 2', /is neither JSON nor YAML/],
    ['{"swagger": "2.0", "paths": {}}', /is Swagger 2.0: convert it/],
    ['{"openapi": "4.0.0", "paths": {}}', /must have `openapi/],
    ['{"openapi": 3.1, "paths": {}}', /must have `openapi/],
    ['{"openapi": "3.1.0"}', /has no paths/],
    ['{"openapi": "3.1.0", "paths": []}', /has no paths/],
  ])('%j is refused in words', (text, reason) => {
    expect(parseDocument(text)).toEqual({ ok: false, reason: expect.stringMatching(reason) })
  })

  it('is told without what stands in it', () => {
    const parsed = parseDocument('{"secret": hunter2}')
    expect(parsed).toMatchObject({ ok: false })
    expect(JSON.stringify(parsed)).not.toContain('hunter2')
  })
})
