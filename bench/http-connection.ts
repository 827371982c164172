import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type RawResponse, readResponse } from './read-response.ts'

/**
 * One keep-alive connection with one request in flight. An HTTP client of any comfort costs as much processor time as
 * the server under test; this one costs a tenth.
 */
export class HttpConnection {
  readonly #socket: Socket
  readonly #head: string
  #arrived = ''
  #waiting: PromiseWithResolvers<RawResponse> | undefined

  constructor(socket: Socket, path: string) {
    this.#socket = socket
    const fixed = ['A2A-Version: 1.0', 'Content-Type: application/json']
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

  /** Sends `message:send` and waits for the answer. @param body in ASCII */
  post(token: string, body: string): Promise<RawResponse> {
    this.#waiting = Promise.withResolvers<RawResponse>()
    this.#socket.write(
      `${this.#head}Authorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    return this.#waiting.promise
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** Connects to a server on this machine; every request goes to `path`. */
export async function openConnection(port: number, path: string): Promise<HttpConnection> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return new HttpConnection(socket, path)
}
