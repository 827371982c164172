import { describe, expect, it } from 'vitest'
import { appearanceSchema } from './schema.ts'

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
