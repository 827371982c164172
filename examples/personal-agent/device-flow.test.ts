import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type DeviceFlow, startDeviceFlow, waitForTokens } from './device-flow.ts'

type Answer = { status: number; body?: unknown } | 'hang up'

const client = {
  asker: { issuer: 'https://pa.example', audience: 'urn:x' },
  sign: async () => 'pa-jwt',
}

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** An OAuth endpoint that gives these answers, one after the other. */
async function serve(...answers: Answer[]) {
  const received: { form: Record<string, string>; authorization: string | undefined }[] = []
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const form = Object.fromEntries(new URLSearchParams(text))
    received.push({ form, authorization: request.headers.authorization })
    const answer = answers.shift() ?? { status: 500 }
    if (answer === 'hang up') return request.socket.destroy()
    response.writeHead(answer.status, { 'Content-Type': 'application/json' })
    response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`, received }
}

const error = (code: string): Answer => ({ status: 400, body: { error: code } })

const tokens: Answer = {
  status: 200,
  body: {
    token_type: 'Bearer',
    access_token: 'at',
    refresh_token: 'rt',
    expires_in: 60,
    scope: 'orders:read',
  },
}

const flow: DeviceFlow = {
  deviceCode: 'dc',
  userCode: 'WDJB-MJHT',
  link: 'https://b.example',
  expiresIn: 600,
  interval: 5,
}

/** Waits for tokens without waiting; says how long it would have waited. */
async function poll(url: string, using: DeviceFlow = flow) {
  const waits: number[] = []
  const result = await waitForTokens(client, url, using, async (seconds) => void waits.push(seconds))
  return { result, waits }
}

describe('the device flow of the demo personal agent (RFC 8628)', () => {
  it('polls as itself until the User has decided, and reads the scope (§5.3)', async () => {
    const { url, received } = await serve(error('authorization_pending'), tokens)
    const { result, waits } = await poll(url)
    expect(result).toMatchObject({ granted: true, tokens: { scopes: ['orders:read'], refreshToken: 'rt' } })
    expect(waits).toEqual([5, 5])
    expect(received[0]).toEqual({
      authorization: 'Bearer pa-jwt',
      form: {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: 'dc',
        client_id: 'https://pa.example',
      },
    })
  })

  it('slow_down adds 5 s for good (§3.5)', async () => {
    const { url } = await serve(
      error('slow_down'),
      error('authorization_pending'),
      error('slow_down'),
      tokens,
    )
    expect((await poll(url)).waits).toEqual([5, 10, 10, 15])
  })

  it('backs off while nothing answers, and goes on (§3.5)', async () => {
    const { url } = await serve('hang up', 'hang up', error('authorization_pending'), tokens)
    expect((await poll(url)).waits).toEqual([5, 10, 20, 5])
  })

  it.each([
    ['access_denied', 'You have not allowed it.'],
    ['expired_token', 'The code has expired before you decided. Ask again for a new one.'],
  ])('says %s in words', async (code, words) => {
    const { url } = await serve(error(code))
    expect((await poll(url)).result).toEqual({ granted: false, words })
  })

  it('stops by itself when the code has expired', async () => {
    const { url, received } = await serve()
    const { result } = await poll(url, { ...flow, expiresIn: 0 })
    expect(result).toMatchObject({ granted: false })
    expect(received).toEqual([])
  })

  it('does not go on after an error that waiting does not mend', async () => {
    const { url, received } = await serve(error('invalid_grant'))
    await expect(poll(url)).rejects.toThrow('invalid_grant')
    expect(received).toHaveLength(1)
  })

  it('shows verification_uri where there is no complete one, and waits 5 s where no interval is named', async () => {
    const body = { device_code: 'd', user_code: 'u', verification_uri: 'https://b.example/', expires_in: 60 }
    const { url, received } = await serve({ status: 200, body })
    expect(await startDeviceFlow(client, url, ['a', 'b'])).toMatchObject({
      link: 'https://b.example/',
      interval: 5,
    })
    expect(received[0]?.form.scope).toBe('a b')
  })
})
