import { describe, expect, it } from 'vitest'
import { newBrandId } from './new-brand-id.ts'
import { brandIdSchema } from './schema.ts'

describe('a new Brand id', () => {
  it('is a ULID that begins with the time, and none comes twice', () => {
    const ids = Array.from({ length: 1_000 }, newBrandId)
    for (const id of ids) expect(brandIdSchema.safeParse(id).success).toBe(true)
    expect(new Set(ids).size).toBe(1_000)
    const early = ids[0]?.slice(0, 10) ?? ''
    expect(newBrandId().slice(0, 10) >= early).toBe(true)
  })
})
