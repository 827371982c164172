import { describe, expect, it } from 'vitest'
import { appearanceSchema, delegationSchema, MAX_SCOPE_IDS } from './schema.ts'

const appearance = appearanceSchema({ allowLoopback: false })

describe('how a Brand looks', () => {
  it.each([{}, { colour: '#0b5C8a' }, { logoUrl: 'https://brand.example/logo.svg' }])(
    '%j is right',
    (given) => {
      expect(appearance.parse(given)).toEqual(given)
    },
  )

  it.each([
    { colour: 'red' },
    { colour: '#fff' },
    { colour: '#0b5c8a"/>' },
    { logoUrl: 'http://brand.example/logo.svg' },
    { logoUrl: 'data:image/svg+xml,x' },
    { logoUrl: 'http://localhost/logo.svg' },
    { font: 'Arial' },
  ])('%j is refused', (given) => {
    expect(appearance.safeParse(given).success).toBe(false)
  })
})

describe('§5.2 a Brand’s scopes', () => {
  const withIds = (ids: string[]) =>
    delegationSchema({ allowLoopback: false }).safeParse({
      login: {
        url: 'https://b.example',
        issuer: 'https://b.example',
        jwksUri: 'https://b.example/jwks.json',
      },
      scopes: ids.map((id) => ({ id, description: 'Does something' })),
    })

  it('fit into a token together', () => {
    const ids = Array.from({ length: MAX_SCOPE_IDS / 10 }, (_, n) => `scope-${100 + n}`)
    expect(withIds(ids).success).toBe(true)
    const refused = withIds([...ids.slice(1), 'scope-longer'])
    expect(refused.error?.issues).toMatchObject([
      { path: ['scopes'], message: expect.stringContaining('2000') },
    ])
  })
})
