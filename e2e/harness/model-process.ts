import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { findUnusedPort } from './start.ts'

/**
 * Starts the models of `examples/model` as a process of their own, for tests that measure: what it costs is not the driver's.
 *
 * @returns the base URL of the protocol, and what ends it
 */
export async function startModelProcess(): Promise<{ url: string; stop(): void }> {
  const port = await findUnusedPort()
  const model = fork(join(import.meta.dirname, '../../examples/model/main.ts'), [], {
    env: { ...process.env, MODEL_PORT: String(port) },
  })
  await once(model, 'message')
  return { url: `http://localhost:${port}/v1`, stop: () => model.kill() }
}
