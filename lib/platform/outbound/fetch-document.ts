import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, type Dispatcher, request } from 'undici'
import { processState } from '../process-state.ts'
import { findUrlFault } from '../urls.ts'
import { mayReach } from './address-rules.ts'

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

export type OutboundLimits = {
  /** The longest body, in bytes. */
  maxBytes: number
  /** For everything from the name look-up to the last byte, in milliseconds. */
  timeout: number
  /** Whether this machine itself may be asked, over plain http too. */
  allowLoopback: boolean
}

export type FetchedJson = { ok: true; value: unknown } | { ok: false; reason: OutboundFault }

/** The code of the error that a name look-up ends with when every address is refused. */
const REFUSED = 'ERR_ADDRESS_REFUSED'

class OutboundError extends Error {
  readonly reason: OutboundFault
  constructor(reason: OutboundFault) {
    super(reason)
    this.reason = reason
  }
}

/** A name look-up whose answer holds only addresses that may be reached, so that none can change after the check. */
function guardedLookup(allowLoopback: boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const reachable = found.filter(({ address }) => mayReach(address, { allowLoopback }))
      const first = reachable[0]
      if (!first) return callback(Object.assign(new Error('address refused'), { code: REFUSED }), [])
      if (options.all) return callback(null, reachable)
      callback(null, first.address, first.family)
    })
  }
}

function agentFor(allowLoopback: boolean): Dispatcher {
  return processState(
    `outbound.${allowLoopback ? 'with-loopback' : 'public'}`,
    () =>
      new Agent({
        connect: { lookup: guardedLookup(allowLoopback) },
        allowH2: false,
        connections: 8,
        pipelining: 1,
        keepAliveTimeout: 10_000,
        keepAliveMaxTimeout: 30_000,
        maxHeaderSize: 16_384,
      }),
  )
}

/** A look-up is never made for an address literal, so the parsed host is checked too: `http://2130706433` is 127.0.0.1. */
function findTargetFault(url: string, allowLoopback: boolean): OutboundFault | undefined {
  if (findUrlFault(url, { allowLoopback })) return 'url'
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return isIP(host) !== 0 && !mayReach(host, { allowLoopback }) ? 'address' : undefined
}

function checkHead({ statusCode, headers }: Dispatcher.ResponseData): void {
  if (statusCode >= 300 && statusCode < 400) throw new OutboundError('redirect')
  if (statusCode !== 200) throw new OutboundError('status')
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

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new OutboundError('not_json')
  }
}

function faultOf(error: unknown, signal: AbortSignal): OutboundFault {
  if (error instanceof OutboundError) return error.reason
  if (signal.aborted) return 'timeout'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === REFUSED) return 'address'
  return code.includes('TIMEOUT') || code === 'ETIMEDOUT' ? 'timeout' : 'unreachable'
}

async function request200(url: string, { maxBytes, allowLoopback }: OutboundLimits, signal: AbortSignal) {
  const response = await request(url, {
    dispatcher: agentFor(allowLoopback),
    headers: { accept: 'application/json', 'accept-encoding': 'identity' },
    signal,
  })
  try {
    checkHead(response)
    return await readBody(response.body, maxBytes)
  } catch (error) {
    response.body.on('error', () => {}).destroy()
    throw error
  }
}

/**
 * Fetches a JSON document from a URL that somebody else chose, without becoming their way into our network: https alone
 * (http on this machine where allowed), no redirects, no private address before or after DNS, no cookies, no proxy, one
 * limit on the whole time and one on the bytes. The media type is not checked.
 *
 * @param url absolute
 * @returns the parsed document, or why there is none. Never rejects.
 */
export async function fetchJson(url: string, limits: OutboundLimits): Promise<FetchedJson> {
  const targetFault = findTargetFault(url, limits.allowLoopback)
  if (targetFault) return { ok: false, reason: targetFault }
  const signal = AbortSignal.timeout(limits.timeout)
  try {
    return { ok: true, value: parseJson(await request200(url, limits, signal)) }
  } catch (error) {
    return { ok: false, reason: faultOf(error, signal) }
  }
}
