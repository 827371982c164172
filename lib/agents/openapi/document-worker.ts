import { parentPort, workerData } from 'node:worker_threads'
import { isMap, type JsonMap } from '#lib/platform/json-map.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { listOperations } from './list-operations.ts'
import { parseDocument } from './parse-document.ts'
import type { DocumentTask, ReadOpenApi } from './read-openapi.ts'

function titleOf({ info }: JsonMap): string {
  const title = isMap(info) && typeof info.title === 'string' ? info.title : ''
  return makeVisible(title.toWellFormed().slice(0, 200)).trim()
}

function read({ text, options }: DocumentTask): ReadOpenApi {
  const parsed = parseDocument(text)
  if (!parsed.ok) return { ok: false, reason: `The document ${parsed.reason}.` }
  return { ok: true, title: titleOf(parsed.document), ...listOperations(parsed.document, options) }
}

// The thread lives for one document.
parentPort?.postMessage(read(workerData as DocumentTask))
