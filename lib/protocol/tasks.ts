import type { Brand } from '#lib/brands/brand.ts'
import { invalidParams } from './a2a-errors.ts'
import { a2aError, a2aJson, unsupportedOperation } from './answers.ts'

/** §2.2: how many tasks a page has, when the request does not say. */
const DEFAULT_PAGE_SIZE = 50
const MAX_PAGE_SIZE = 100

function readPageSize(query: URLSearchParams): number | undefined {
  const [given, ...more] = query.getAll('pageSize')
  if (given === undefined) return DEFAULT_PAGE_SIZE
  const pageSize = more.length === 0 && /^\d{1,3}$/.test(given) ? Number(given) : 0
  return pageSize >= 1 && pageSize <= MAX_PAGE_SIZE ? pageSize : undefined
}

/** `GET tasks` (§2.2): ordinary turns create no task, so the list is empty. */
export function listTasks(query: URLSearchParams): Response {
  const pageSize = readPageSize(query)
  if (pageSize === undefined) {
    return a2aError(invalidParams(`pageSize must be one whole number from 1 to ${MAX_PAGE_SIZE}`))
  }
  return a2aJson({ tasks: [], nextPageToken: '', pageSize, totalSize: 0 })
}

/** `GET tasks/{id}` and `POST tasks/{id}:cancel` (§2.2): there is no such task. */
export function answerTask(taskId: string): Response {
  return a2aError({ reason: 'TASK_NOT_FOUND', message: `Task not found: ${taskId}` })
}

/** `tasks/{id}:subscribe` (A2A 1.0): no task is kept, so with streaming there is none to subscribe to. */
export function answerSubscription(taskId: string, { streaming }: Pick<Brand, 'streaming'>): Response {
  return streaming ? answerTask(taskId) : unsupportedOperation()
}
