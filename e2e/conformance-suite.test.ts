import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** What a person sees who runs `npm run e2e` with these variables. */
function runSuite(variables: Record<string, string>) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const { PATH, HOME } = process.env
    const options = { cwd: root, env: { NODE_ENV: 'production' as const, PATH, HOME, ...variables } }
    execFile(process.execPath, [join(root, 'scripts/e2e.js')], options, (failure, stdout, stderr) => {
      resolve({ code: failure ? failure.code : 0, stdout, stderr })
    })
  })
}

/** A Provider that has cards, knows no rule, and says yes to everything else. */
async function startYesSayer() {
  const server = createServer((request, response) => {
    const [, , brandId] = (request.url ?? '').split('/')
    const url = `http://${request.headers.host}/a2a/${brandId}`
    const deviceCode = {
      deviceAuthorizationUrl: `${url}/device`,
      tokenUrl: `${url}/token`,
      scopes: { a: 'A' },
    }
    const oauth2SecurityScheme = { flows: { deviceCode }, oauth2MetadataUrl: `${url}/metadata` }
    const card = {
      supportedInterfaces: [{ url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
      securitySchemes: { delegation: { oauth2SecurityScheme } },
    }
    const isCard = request.url?.endsWith('/agent-card.json')
    response.writeHead(brandId === 'unknown' ? 404 : 200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(isCard ? card : {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('npm run e2e', () => {
  let folder: string
  let provider: Awaited<ReturnType<typeof startYesSayer>>
  let variables: Record<string, string>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pact-conformance-'))
    provider = await startYesSayer()
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    variables = {
      E2E_PROVIDER: 'any',
      E2E_REPORT: join(folder, 'report.json'),
      PROVIDER_URL: provider.url,
      BRAND_ID: 'one',
      OTHER_BRAND_ID: 'two',
      PA_ISSUER: 'https://pa.example.com',
      PA_AUDIENCE: 'urn:example:provider',
      PA_PRIVATE_JWK: JSON.stringify(await exportJWK(privateKey)),
    }
  })
  afterAll(async () => {
    provider?.server.close()
    await rm(folder, { recursive: true })
  })

  it.each([
    ['E2E_PROVIDER', 'ours', 'E2E_PROVIDER must be "any", or not set'],
    ['PROVIDER_URL', '', 'PROVIDER_URL is missing: e2e/conformance/README.md lists the variables'],
    ['PROVIDER_URL', 'example.com', 'PROVIDER_URL must be a URL that starts with https:// or http://'],
    [
      'PROVIDER_URL',
      'http://127.0.0.1:49',
      /^PROVIDER_URL: no answer from http:\/\/127\.0\.0\.1:49\/a2a\/one\/\S+ \(\S+\)$/,
    ],
    ['BRAND_ID', 'unknown', /^BRAND_ID: the Provider has no card for it \(404 at \S+\)$/],
    ['OTHER_BRAND_ID', 'one', 'OTHER_BRAND_ID must be another Brand than BRAND_ID'],
    ['PA_PRIVATE_JWK', 'secret', 'PA_PRIVATE_JWK must be a JWK, written as JSON'],
    ['PA_PRIVATE_JWK', '{"kty":"OKP","crv":"Ed25519"}', 'PA_PRIVATE_JWK must be an EC P-256 or an RSA key'],
    ['PA2_ISSUER', 'https://pa2.example.com', /^PA2_PRIVATE_JWK is missing/],
    ['BRAND_LOGIN', '/nowhere/login', 'BRAND_LOGIN is not the path of a program: /nowhere/login'],
    ['RATE_LIMIT_BURST', 'many', 'RATE_LIMIT_BURST must be a whole number'],
  ])('says in one line what is wrong with %s=%s', async (name, value, line) => {
    const { code, stdout, stderr } = await runSuite({ ...variables, [name]: value })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr.trimEnd()).not.toContain('\n')
    expect(stderr.trimEnd()).toEqual(typeof line === 'string' ? line : expect.stringMatching(line))
  })

  it('fails a Provider that knows no rule, names what it broke, and counts at the end', async () => {
    const { code, stdout } = await runSuite(variables)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^3\.2 +MUST +fail +refuse a token: alg is none, without a signature$/m)
    expect(stdout).toMatch(/^4\.2 +MUST NOT +fail +a contextId is taken for a credential/m)
    expect(stdout).toMatch(/^6 +MUST +fail +INVALID_PARAMS for a body that is not JSON$/m)
    expect(stdout).toMatch(/^5\.1 +MUST +fail +a second securityRequirements entry names both schemes$/m)
    expect(stdout).toMatch(/^5\.3 +MUST +fail +an unknown scope id gets invalid_scope$/m)
    expect(stdout).toMatch(/^5\.5 +MUST +fail +what is no delegation token gets 401 invalid_token$/m)
    const report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))
    expect(report.failed).toBeGreaterThan(100)
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      `${report.passed} passed, ${report.failed} failed, ${report.skipped} skipped`,
    )
  })
})
