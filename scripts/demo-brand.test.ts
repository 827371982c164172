import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { assertDemoBrandPortFree, moveDemoBrand, readDemoBrandPort } from './demo-brand.ts'

describe('the demo Brand of npm start', () => {
  it('has port 3200 unless DEMO_BRAND_PORT says another', () => {
    expect(readDemoBrandPort({})).toBe(3200)
    expect(readDemoBrandPort({ DEMO_BRAND_PORT: '4000' })).toBe(4000)
    for (const DEMO_BRAND_PORT of ['x', '0', '70000', '-1'])
      expect(() => readDemoBrandPort({ DEMO_BRAND_PORT })).toThrow('DEMO_BRAND_PORT must be a port number')
  })

  it('moves with its port everywhere in the provision file', async () => {
    const file = await readFile(new URL('../examples/demo.yaml', import.meta.url), 'utf8')
    const moved = moveDemoBrand(file, 4000)
    expect(moved).not.toContain(':3200')
    expect(moved).toContain('url: http://localhost:4000/login')
  })

  it('says in one line that its port is in use', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    const { port } = server.address() as AddressInfo
    await expect(assertDemoBrandPortFree(port)).rejects.toThrow(
      new RegExp(`^Port ${port}, for the demo Brand, is in use: [^\\n]+$`),
    )
    server.close()
  })
})
