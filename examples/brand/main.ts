import { buildBrand } from './app.ts'
import { ListenError, serveBrand } from './serve.ts'
import { readSettings, SettingsError } from './settings.ts'

async function main(): Promise<void> {
  const settings = readSettings(process.env)
  const stop = await serveBrand(await buildBrand(settings), settings.brandUrl)
  const end = () => void stop().then(() => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  // Whoever started this program over a channel has ended.
  process.once('disconnect', end)
  if (process.send) process.send('serving')
  else console.log(`The demo Brand is at ${settings.brandUrl} (Ctrl-C stops it).`)
}

main().catch((error: unknown) => {
  const expected = error instanceof SettingsError || error instanceof ListenError
  console.error(expected ? error.message : error)
  process.exit(1)
})
