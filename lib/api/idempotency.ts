import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { TokenCaller } from '#lib/access/find-api-token.ts'
import { openSecret, sealSecret } from '#lib/access/seal-secret.ts'
import { prisma } from '#lib/platform/database.ts'
import { ApiProblem } from './problem.ts'

/** RFC 9651 §3.3.3: a String; without its quotes too, as many clients send it. */
const KEY = /^(?:"([\x20\x21\x23-\x5B\x5D-\x7E]{1,255})"|([\x21\x23-\x5B\x5D-\x7E]{1,255}))$/

const keptSchema = z.object({ headers: z.record(z.string(), z.string()), text: z.string() })
const sealedSchema = z.object({ sealed: z.string() })

/** What makes two requests the same one. */
function hashRequest(request: Request, text: string): Uint8Array<ArrayBuffer> {
  const { pathname, search } = new URL(request.url)
  const version = request.headers.get('If-Match') ?? ''
  const parts = JSON.stringify([request.method, pathname + search, version, text])
  return new Uint8Array(createHash('sha256').update(parts).digest())
}

/** The key of a request. @returns undefined without one. @throws ApiProblem for what can be none */
function readKey(headers: Headers): string | undefined {
  const given = headers.get('Idempotency-Key')
  if (given === null) return undefined
  const [, quoted, bare] = KEY.exec(given.trim()) ?? []
  const key = quoted ?? bare
  if (key !== undefined) return key
  const reason = 'must be 1 to 255 visible ASCII characters'
  throw new ApiProblem('invalid-request', { errors: [{ path: 'Idempotency-Key', reason }] })
}

type Place = { tokenId: string; key: string }

async function claim({ tokenId, key }: Place, requestHash: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const data = { tokenId, key, requestHash }
  return (await prisma().idempotentAnswer.createMany({ data, skipDuplicates: true })).count === 1
}

async function replay(
  tokenId_key: Place,
  requestHash: Uint8Array,
  { viewer }: TokenCaller,
): Promise<Response> {
  const stored = await prisma().idempotentAnswer.findUnique({ where: { tokenId_key } })
  if (stored && !Buffer.from(stored.requestHash).equals(requestHash)) throw new ApiProblem('key-reused')
  // Gone: the first one has failed at this moment, and changed nothing.
  if (!stored || stored.status === null) throw new ApiProblem('in-progress', {}, { 'Retry-After': '1' })
  const { sealed } = sealedSchema.parse(stored.body)
  const opened = await openSecret(Buffer.from(sealed, 'base64'), viewer.userId)
  const { headers, text } = keptSchema.parse(JSON.parse(opened))
  return new Response(text, { status: stored.status, headers: { ...headers, 'Idempotent-Replayed': 'true' } })
}

// Sealed: some answers hold what is shown once, as an invitation's link, and whoever lost the first answer must get it again.
async function keep(tokenId_key: Place, response: Response, { viewer }: TokenCaller): Promise<Response> {
  const text = await response.text()
  const headers = Object.fromEntries(response.headers)
  const sealed = await sealSecret(JSON.stringify({ headers, text }), viewer.userId)
  const body = { sealed: Buffer.from(sealed).toString('base64') }
  await prisma().idempotentAnswer.update({ where: { tokenId_key }, data: { status: response.status, body } })
  return new Response(text, { status: response.status, headers: response.headers })
}

/**
 * Runs a request once, however often it is sent under one `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): of
 * those that come at the same moment one runs, and later ones get its answer. A problem frees the key, for nothing was
 * done; an error that nobody expected does not: what it left is not known. Without a key it just runs.
 *
 * @param text the request's body
 * @throws ApiProblem: 422 for a key of another request, 409 while the first still runs
 */
export async function runOnce(
  request: Request,
  text: string,
  caller: TokenCaller,
  { run, changesNothing }: { run: () => Promise<Response>; changesNothing: (error: unknown) => boolean },
): Promise<Response> {
  const key = readKey(request.headers)
  if (key === undefined) return run()
  const place = { tokenId: caller.tokenId, key }
  const requestHash = hashRequest(request, text)
  if (!(await claim(place, requestHash))) return replay(place, requestHash, caller)
  let response: Response
  try {
    response = await run()
  } catch (error) {
    if (changesNothing(error)) await prisma().idempotentAnswer.deleteMany({ where: place })
    throw error
  }
  return keep(place, response, caller)
}
