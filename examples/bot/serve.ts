import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { type BotOptions, buildBot } from './app.ts'

/**
 * Serves a bot at its URL's port, on this machine alone.
 *
 * @returns what stops it
 * @throws when the port is in use
 */
export async function serveBot(options: BotOptions): Promise<() => Promise<void>> {
  const { fetch } = buildBot(options)
  const server = serve({ fetch, hostname: 'localhost', port: Number(new URL(options.url).port) })
  await once(server, 'listening')
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      if ('closeAllConnections' in server) server.closeAllConnections()
    })
}
