import { startServer } from '../../server.ts'

/**
 * One process of the product for a test: serves what the environment says, prints its address as the first line that is
 * not a log line, and ends on SIGTERM as in production. `LANE=0` sends the protocol through Next's door.
 */
const server = await startServer({ lane: process.env.LANE !== '0' })
process.once('SIGTERM', async () => {
  await server.close()
  process.exit(0)
})
console.log(`serving ${server.url}`)
