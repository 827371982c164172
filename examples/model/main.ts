import { loadModels, recordingsOf } from './models.ts'
import { recordAnswers } from './recorder.ts'
import { serveModel } from './serve.ts'

const PORT = 3300

async function main(): Promise<void> {
  const port = Number(process.env.MODEL_PORT || PORT)
  const { MODEL_RECORD: recorded, MODEL_UPSTREAM: upstream } = process.env
  const models = recorded && upstream ? recordAnswers(upstream, recordingsOf(recorded)) : await loadModels()
  const server = await serveModel(models, port)
  const end = () => void server.close().then(() => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  // Whoever started this program over a channel has ended.
  process.once('disconnect', end)
  if (process.send) process.send('serving')
  else console.log(`The models answer at ${server.url} (Ctrl-C stops it).`)
}

main().catch((error: NodeJS.ErrnoException) => {
  console.error(error.code === 'EADDRINUSE' ? 'The port is in use: set MODEL_PORT to another.' : error)
  process.exit(1)
})
