import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { assertPortFree } from './port.ts'

const server = createServer()

afterEach(() => server.close())

describe('the port check', () => {
  it('says what to do about a port in use, and lets a free one be', async () => {
    await new Promise<void>((resolve) => server.listen(0, resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    await expect(assertPortFree(port)).rejects.toThrow(
      `Port ${port} is in use: stop what runs there, or set PORT to another`,
    )
    await new Promise((resolve) => server.close(resolve))
    await assertPortFree(port)
  })

  it('names an address that this machine does not have', async () => {
    await expect(assertPortFree(3000, '192.0.2.1')).rejects.toThrow('HOST 192.0.2.1')
  })
})
