import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { assertDemoPortsFree, moveDemo, readDemoPorts } from './demo-programs.ts'

describe('the demo’s programs of npm start', () => {
  it('have their ports unless the environment says others', () => {
    expect(readDemoPorts({}, 3000)).toEqual({ brand: 3200, model: 3300, bot: 3400 })
    expect(readDemoPorts({ DEMO_BRAND_PORT: '4000' }, 3000)).toMatchObject({ brand: 4000, model: 3300 })
    expect(readDemoPorts({ DEMO_MODEL_PORT: '4000' }, 3000)).toMatchObject({ brand: 3200, model: 4000 })
    expect(readDemoPorts({ DEMO_BOT_PORT: '4000' }, 3000)).toMatchObject({ model: 3300, bot: 4000 })
    for (const DEMO_BRAND_PORT of ['x', '0', '70000', '-1'])
      expect(() => readDemoPorts({ DEMO_BRAND_PORT }, 3000)).toThrow('DEMO_BRAND_PORT must be a port number')
  })

  it('are at ports of their own', () => {
    expect(() => readDemoPorts({}, 3300)).toThrow(
      'Port 3300 is for the Provider and for the demo model: set DEMO_MODEL_PORT to another, or start with --no-demo',
    )
    expect(() => readDemoPorts({ DEMO_BOT_PORT: '3200' }, 3000)).toThrow(
      'Port 3200 is for the demo Brand and for the demo bot',
    )
    expect(readDemoPorts({ DEMO_MODEL_PORT: '3301' }, 3300)).toMatchObject({ model: 3301 })
  })

  it('move with their ports everywhere in the provision file, also when they change places', async () => {
    const file = await readFile(new URL('../examples/demo.yaml', import.meta.url), 'utf8')
    const moved = moveDemo(file, { brand: 3300, model: 3200 })
    expect(moved).toContain('url: http://localhost:3300/login')
    expect(moved).toContain('endpoint: http://localhost:3200/v1')
    expect(moveDemo(file, { bot: 4000 })).toContain('url: http://localhost:4000/turn')
    expect(moveDemo(file, { brand: 4000 })).not.toContain(':3200')
  })

  it('say in one line that a port is in use', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    const { port } = server.address() as AddressInfo
    await expect(assertDemoPortsFree({ ...readDemoPorts({}, 3000), brand: port })).rejects.toThrow(
      new RegExp(`^Port ${port}, for the demo Brand, is in use: [^\\n]+$`),
    )
    server.close()
  })
})
