import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** A mail server on loopback that takes every mail (RFC 5321, as little of it as a sender needs). */
export type TestMailHost = { url: string; mails: string[]; close(): Promise<void> }

const REPLIES: readonly [RegExp, string][] = [
  [/^EHLO|^HELO/i, '250 localhost'],
  [/^DATA/i, '354 go ahead'],
  [/^QUIT/i, '221 bye'],
]

/** Starts it. What arrives is kept as it was sent, one text a mail. */
export async function startMailHost(): Promise<TestMailHost> {
  const mails: string[] = []
  const server = createServer((socket) => {
    let rest = ''
    let body: string[] | undefined
    socket.on('error', () => undefined)
    socket.write('220 localhost ESMTP\r\n')
    socket.on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (body && line !== '.') body.push(line)
        else if (body) {
          mails.push(body.join('\n'))
          body = undefined
          socket.write('250 taken\r\n')
        } else {
          if (/^DATA/i.test(line)) body = []
          socket.write(`${REPLIES.find(([command]) => command.test(line))?.[1] ?? '250 ok'}\r\n`)
        }
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
