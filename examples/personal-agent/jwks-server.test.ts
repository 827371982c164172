import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findFreePort } from './free-port.ts'
import { publishKeys, type Stop } from './jwks-server.ts'
import { type Identity, loadIdentity } from './key-store.ts'
import { Problem } from './problem.ts'

let directory: string
let port: number
let issuer: string
const stops: Stop[] = []

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'personal-agent-'))
  port = await findFreePort()
  issuer = `http://localhost:${port}`
})

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await rm(directory, { recursive: true })
})

function identity(name = 'key.json'): Promise<Identity> {
  return loadIdentity(join(directory, name))
}

async function publish(of: Identity): Promise<void> {
  stops.push(await publishKeys(issuer, of))
}

async function read(path: string): Promise<unknown> {
  return (await fetch(issuer + path)).json()
}

describe('the key', () => {
  it('is kept for its owner alone, and stays the same', async () => {
    const first = await loadIdentity(join(directory, 'data', 'key.json'))
    const second = await loadIdentity(join(directory, 'data', 'key.json'))
    expect(second.publicJwk).toEqual(first.publicJwk)
    expect(second.subject).toBe(first.subject)
    expect((await stat(join(directory, 'data', 'key.json'))).mode & 0o777).toBe(0o600)
  })

  it('is one key when two programs start at once', async () => {
    const identities = await Promise.all([identity(), identity(), identity()])
    expect(new Set(identities.map(({ publicJwk }) => publicJwk.kid)).size).toBe(1)
    expect(new Set(identities.map(({ subject }) => subject)).size).toBe(1)
  })

  it('a file that holds something else is a clear problem, and is left alone', async () => {
    await writeFile(join(directory, 'key.json'), '{"subject": ""}')
    await expect(identity()).rejects.toThrow(/holds no key/)
  })
})

describe('the published keys (§3.1)', () => {
  it('are the public part alone', async () => {
    await publish(await identity())
    expect(await read('/.well-known/jwks.json')).toEqual({
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          alg: 'ES256',
          use: 'sig',
          kid: expect.any(String),
          x: expect.any(String),
          y: expect.any(String),
        },
      ],
    })
  })

  it('are found through OIDC discovery', async () => {
    await publish(await identity())
    expect(await read('/.well-known/openid-configuration')).toEqual({
      issuer,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
    })
    expect((await fetch(`${issuer}/other`)).status).toBe(404)
  })

  it('answer on both loopback addresses, whichever a Provider looks up', async () => {
    await publish(await identity())
    for (const host of ['127.0.0.1', 'localhost'])
      expect((await fetch(`http://${host}:${port}/.well-known/jwks.json`)).status).toBe(200)
  })

  it('may be published by another program with the same key', async () => {
    await publish(await identity())
    await publish(await identity())
    expect((await fetch(`${issuer}/.well-known/jwks.json`)).status).toBe(200)
  })

  it('are not taken over from a program with another key', async () => {
    await publish(await identity())
    await expect(publish(await identity('other.json'))).rejects.toThrow(/Another program uses/)
  })

  it('are not expected of a program that is something else', async () => {
    const other = createServer((_request, response) => response.end('hello'))
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    stops.push(async () => {
      other.close()
      other.closeAllConnections()
    })
    await expect(publish(await identity())).rejects.toBeInstanceOf(Problem)
  })

  it('leave the port free when stopped', async () => {
    await publish(await identity())
    await stops.pop()?.()
    await publish(await identity('other.json'))
  })
})
