import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { processState } from '#lib/platform/process-state.ts'
import type { ImportedOperation, ListOptions } from './list-operations.ts'

/** How long reading a document may take, in milliseconds. */
const TIME_LIMIT = 15_000
/** How much memory it may take, in MiB. */
const MEMORY_LIMIT = 384
/** The largest document, in bytes. */
export const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024
/** How many documents one process reads at once. */
const AT_ONCE = 2

export type ReadOpenApi =
  | {
      ok: true
      title: string
      operations: ImportedOperation[]
      /** How many operations the document has beyond those. */
      more: number
    }
  /** Why it could not be read: "The document is …". */
  | { ok: false; reason: string }

/** What the worker is given. */
export type DocumentTask = { text: string; options: ListOptions }

const running = () => processState('openapi.reading', () => ({ count: 0 }))

/** npm runs every script in the project's own folder. */
function workerPath(): string {
  return join(/* turbopackIgnore: true */ process.cwd(), 'lib', 'agents', 'openapi', 'document-worker.ts')
}

function readInWorker(task: DocumentTask, timeLimit: number): Promise<ReadOpenApi> {
  const worker = new Worker(/* turbopackIgnore: true */ workerPath(), {
    workerData: task,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT, maxYoungGenerationSizeMb: 64 },
  })
  const outcome = Promise.withResolvers<ReadOpenApi>()
  const timer = setTimeout(() => {
    outcome.resolve({ ok: false, reason: 'The document takes too long to read.' })
  }, timeLimit)
  worker.once('message', outcome.resolve)
  worker.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return outcome.reject(error)
    outcome.resolve({ ok: false, reason: 'The document takes too much memory to read.' })
  })
  return outcome.promise.finally(() => {
    clearTimeout(timer)
    return worker.terminate()
  })
}

/**
 * Reads a Brand's OpenAPI document, which somebody else wrote: in a thread of its own, within limits of time and memory,
 * so that no document keeps anything else from running. Nothing is fetched.
 *
 * @param text JSON or YAML, at most {@link MAX_DOCUMENT_BYTES}
 * @param limits.timeLimit in milliseconds
 */
export async function readOpenApi(
  text: string,
  options: ListOptions,
  limits: { timeLimit?: number } = {},
): Promise<ReadOpenApi> {
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) {
    return { ok: false, reason: 'The document is larger than 2 MiB.' }
  }
  const state = running()
  if (state.count >= AT_ONCE) {
    return { ok: false, reason: 'Other documents are being read: try again in a moment.' }
  }
  state.count += 1
  try {
    return await readInWorker({ text, options }, limits.timeLimit ?? TIME_LIMIT)
  } finally {
    state.count -= 1
  }
}
