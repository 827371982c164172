import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/**
 * Starts a Brand's bot as a process of its own, for tests that measure: what it costs is not the driver's.
 *
 * @returns where it is, and what ends it
 */
export async function startBotProcess(): Promise<{ url: string; stop(): void }> {
  const bot = fork(join(import.meta.dirname, 'serve-bot.ts'))
  const [url] = await once(bot, 'message')
  return { url: String(url), stop: () => bot.kill() }
}
