import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type RawResponse, readResponse } from './read-response.ts'

export type { RawResponse }

/** What is sent. `delegation`: a delegation token; `body`: in ASCII */
export type Posted = { token: string; delegation?: string | undefined; body: string }

let posted = 0

/** How many requests this process has sent. */
export function countPosted(): number {
  return posted
}

/**
 * One keep-alive connection with one request in flight. An HTTP client of any comfort costs as much processor time as
 * the server under test; this one costs a tenth.
 */
export class HttpConnection {
  readonly #socket: Socket
  readonly #head: string
  #arrived = ''
  #waiting: PromiseWithResolvers<RawResponse> | undefined

  constructor(socket: Socket, path: string, contentType: string) {
    this.#socket = socket
    const fixed = ['A2A-Version: 1.0', `Content-Type: ${contentType}`]
    this.#head = [`POST ${path} HTTP/1.1`, `Host: localhost:${socket.remotePort}`, ...fixed, ''].join('\r\n')
    socket.setEncoding('latin1').setNoDelay(true)
    socket.on('data', (text) => this.#take(String(text)))
    socket.on('close', () => this.#waiting?.reject(new Error('The server closed the connection')))
    socket.on('error', (error) => this.#waiting?.reject(error))
  }

  #take(text: string): void {
    this.#arrived += text
    const response = readResponse(this.#arrived)
    if (!response) return
    this.#arrived = ''
    this.#waiting?.resolve(response)
  }

  /** Sends a request and waits for the answer. */
  post({ token, delegation, body }: Posted): Promise<RawResponse> {
    posted += 1
    this.#waiting = Promise.withResolvers<RawResponse>()
    const second = delegation === undefined ? '' : `X-A2A-User-Delegation: Bearer ${delegation}\r\n`
    this.#socket.write(
      `${this.#head}Authorization: Bearer ${token}\r\n${second}Content-Length: ${body.length}\r\n\r\n${body}`,
    )
    return this.#waiting.promise
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** Connects to a server on this machine; every request goes to `path`. */
export async function openConnection(
  port: number,
  path: string,
  contentType: string,
): Promise<HttpConnection> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return new HttpConnection(socket, path, contentType)
}
