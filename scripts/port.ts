import { createServer } from 'node:net'

/** The port is not free, or may not be used. The message says what to do. */
export class PortError extends Error {
  override name = 'PortError'
}

/**
 * Makes sure that the server will be able to listen.
 *
 * @param host the address that it will listen on; undefined: every one
 * @throws PortError
 */
export async function assertPortFree(port: number, host?: string): Promise<void> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
  } catch (error) {
    throw asPortError(error, port, host)
  }
  await new Promise((resolve) => server.close(resolve))
}

/** What a failure to listen means for the operator; any other error stays what it is. */
export function asPortError(error: unknown, port: number, host?: string): unknown {
  const failure = error as NodeJS.ErrnoException
  const listening = error instanceof Error && ['listen', 'getaddrinfo'].includes(failure.syscall ?? '')
  return listening ? new PortError(describe(failure, port, host)) : error
}

function describe(error: NodeJS.ErrnoException, port: number, host?: string): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} is in use: stop what runs there, or set PORT to another`
  if (error.code === 'EACCES') return `Port ${port} is not for ordinary users: set PORT to one above 1023`
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return `HOST ${host} is not an address of this machine: correct it, or leave it out`
  return `Port ${port} can't be used (${error.message}): set PORT to another`
}
