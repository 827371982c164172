import { createRemoteJWKSet } from 'jose'
import { answerTurn } from './meter-readings.ts'
import { serveBot } from './serve.ts'

/** Northlight Energy, in examples/demo.yaml. */
const BRAND_ID = '01M8KZK7WJXQ75HH7Z3YJ3H5BM'

async function main(): Promise<void> {
  const { BOT_URL: url = 'http://localhost:3400/turn', PROVIDER_URL = 'http://localhost:3000' } = process.env
  const keys = createRemoteJWKSet(new URL(`${PROVIDER_URL}/a2a/${BRAND_ID}/oauth/jwks.json`))
  // It does nothing at anybody's account: there is nothing that could become real.
  const stop = await serveBot({ url, keys, answer: answerTurn, rehearse: answerTurn })
  const end = () => void stop().then(() => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  // Whoever started this program over a channel has ended.
  process.once('disconnect', end)
  if (process.send) process.send('serving')
  else console.log(`The bot answers at ${url} (Ctrl-C stops it).`)
}

main().catch((error: NodeJS.ErrnoException) => {
  console.error(error.code === 'EADDRINUSE' ? 'The port is in use: set BOT_URL to another.' : error)
  process.exit(1)
})
