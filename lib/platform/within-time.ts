/**
 * Does some work that has to stop in time. Nothing of it stays behind: `AbortSignal.timeout` keeps its timer, and makes its
 * error, long after work that ended early.
 *
 * @param limit in milliseconds
 * @param signal stops the work before its time, too
 * @param work told when to stop, by either
 */
export async function withinTime<T>(
  limit: number,
  signal: AbortSignal,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const timer = setTimeout(
    () => controller.abort(new DOMException('The time is over', 'TimeoutError')),
    limit,
  )
  const onAbort = () => controller.abort(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
