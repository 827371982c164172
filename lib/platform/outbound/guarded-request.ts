import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher, request } from 'undici'
import { processState } from '../process-state.ts'
import { findUrlFault, isLoopbackHost, isPrivateAddress } from '../urls.ts'
import { mayReach, type Reach } from './address-rules.ts'

/** Why a document could not be had. For the log; it may tell an attacker about our network. */
export type OutboundFault =
  /** Not a URL that may be asked for: scheme, user name, fragment. */
  | 'url'
  /** The host is, or resolves to nothing but, addresses that may not be reached. */
  | 'address'
  | 'redirect'
  | 'status'
  /** Compressed, although no compression was asked for. */
  | 'encoding'
  | 'too_large'
  | 'timeout'
  | 'unreachable'
  | 'not_json'

/** The code of the error that a name look-up ends with when every address is refused. */
const REFUSED = 'ERR_ADDRESS_REFUSED'

/** Ends a request early. Nothing beyond this folder sees one. */
export class OutboundError extends Error {
  readonly reason: OutboundFault
  constructor(reason: OutboundFault) {
    super(reason)
    this.reason = reason
  }
}

/** A name look-up whose answer holds only addresses that may be reached, so that none can change after the check. */
function guardedLookup(reach: Reach): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const reachable = found.filter(({ address }) => mayReach(address, reach))
      const first = reachable[0]
      if (!first) return callback(Object.assign(new Error('address refused'), { code: REFUSED }), [])
      if (options.all) return callback(null, reachable)
      callback(null, first.address, first.family)
    })
  }
}

/**
 * How many connections one process opens to one origin: documents are few, a Brand's API answers every turn, and a model or a
 * bot keeps each turn waiting for seconds.
 */
const connections = { documents: 8, calls: 64, models: 512, bots: 512 } as const

type Purpose = keyof typeof connections

function agentFor(purpose: Purpose, { allowLoopback, allowPrivate = false }: Reach): Dispatcher {
  // A connection is kept for those alone who may have opened it.
  const name = [allowLoopback ? 'with-loopback' : 'public', ...(allowPrivate ? ['with-private'] : [])].join(
    '.',
  )
  return processState(
    `outbound.${purpose}.${name}`,
    () =>
      new Agent({
        connect: { lookup: guardedLookup({ allowLoopback, allowPrivate }) },
        allowH2: false,
        connections: connections[purpose],
        pipelining: 1,
        keepAliveTimeout: 10_000,
        keepAliveMaxTimeout: 30_000,
        maxHeaderSize: 16_384,
      }),
  )
}

/** A look-up is never made for an address literal, so the parsed host is checked too: `http://2130706433` is 127.0.0.1. */
function findTargetFault(url: string, reach: Reach): OutboundFault | undefined {
  if (!findUrlFault(url, reach)) return undefined
  const target = URL.parse(url)
  if (target?.protocol !== 'https:' || isLoopbackHost(target.hostname)) return 'url'
  return isPrivateAddress(target.hostname, reach) ? 'address' : 'url'
}

function checkEncoding({ headers }: Dispatcher.ResponseData): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') throw new OutboundError('encoding')
}

async function readBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    // Leaving the loop destroys the stream, and with it the connection.
    if (size > maxBytes) throw new OutboundError('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The JSON in `bytes`. @throws OutboundError where there is none */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new OutboundError('not_json')
  }
}

/** True for what ends a request before its connection stands: nobody has seen anything of it. */
function isConnectError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isConnectError)
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === REFUSED || code === 'UND_ERR_CONNECT_TIMEOUT') return true
  return syscall === 'connect' || syscall === 'getaddrinfo'
}

function faultOf(error: unknown, signal: AbortSignal): OutboundFault {
  if (error instanceof OutboundError) return error.reason
  if (signal.aborted) return 'timeout'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === REFUSED) return 'address'
  return code.includes('TIMEOUT') || code === 'ETIMEDOUT' ? 'timeout' : 'unreachable'
}

/** A request to somebody else's server. */
export type GuardedRequest = Reach & {
  /** Absolute. */
  url: string
  purpose: Purpose
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers: Record<string, string>
  body?: string
  /** Ends everything from the name look-up to the last byte. */
  signal: AbortSignal
  /** Of the response's body. */
  maxBytes: number
  /** A redirect is an answer like others: it is read, and never followed. */
  readRedirects?: boolean
}

/** An answer as it is read. `location`: of a redirect. */
export type GuardedAnswer = { status: number; location: string | undefined; bytes: Buffer }

/** Why a request gave nothing. */
export type OutboundFailure = {
  reason: OutboundFault
  /** Of the answer, where one began. */
  status: number | undefined
  /** False: the request certainly reached nobody. */
  sent: boolean
}

/** Throws for a status whose body is not wanted. */
export type StatusCheck = (status: number) => void

async function exchange(
  asked: GuardedRequest,
  checkStatus: StatusCheck,
  onStatus: (status: number) => void,
): Promise<GuardedAnswer> {
  const { url, purpose, method, headers, body, signal, maxBytes } = asked
  const response = await request(url, {
    dispatcher: agentFor(purpose, asked),
    method,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', ...headers },
    ...(body === undefined ? {} : { body }),
    signal,
  })
  onStatus(response.statusCode)
  try {
    const redirects = response.statusCode >= 300 && response.statusCode < 400
    if (redirects && !asked.readRedirects) throw new OutboundError('redirect')
    checkStatus(response.statusCode)
    checkEncoding(response)
    const { location } = response.headers
    return {
      status: response.statusCode,
      location: redirects ? [location].flat()[0] : undefined,
      bytes: await readBody(response.body, maxBytes),
    }
  } catch (error) {
    response.body.on('error', () => {}).destroy()
    throw error
  }
}

/**
 * Asks a server that somebody else chose, without becoming their way into our network: https alone (http on this machine
 * where allowed), no redirect followed, no private address before or after DNS unless allowed, no compression, no cookies,
 * no proxy, a limit on the bytes.
 *
 * @param checkStatus throws an {@link OutboundError} to refuse an answer before its body is read
 * @param read makes something of the answer; it may throw an {@link OutboundError}
 * @returns what `read` made, or why there is nothing. Never rejects.
 */
export async function guardedRequest<T>(
  asked: GuardedRequest,
  checkStatus: StatusCheck,
  read: (answer: GuardedAnswer) => T,
): Promise<{ ok: true; value: T } | ({ ok: false } & OutboundFailure)> {
  const targetFault = findTargetFault(asked.url, asked)
  if (targetFault) return { ok: false, reason: targetFault, status: undefined, sent: false }
  if (asked.signal.aborted) return { ok: false, reason: 'timeout', status: undefined, sent: false }
  let status: number | undefined
  try {
    const answer = await exchange(asked, checkStatus, (given) => {
      status = given
    })
    return { ok: true, value: read(answer) }
  } catch (error) {
    return { ok: false, reason: faultOf(error, asked.signal), status, sent: !isConnectError(error) }
  }
}
