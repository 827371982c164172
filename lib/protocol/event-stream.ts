/** How often a comment says that the answer is still to come, in milliseconds: what stands between gives up on silence. */
export const KEEP_ALIVE_TIME = 10_000

const KEEP_ALIVE = ': keep-alive\n\n'

/** §5.5: the 401 of a token that stopped to count has no body, so an event takes AIP-193's form without a reason (§6). */
const tokenEnded = {
  error: { code: 401, status: 'UNAUTHENTICATED', message: 'The delegation token is no longer valid' },
}

const encoder = new TextEncoder()

/** JSON has no line breaks of its own, so each event is one `data` line. */
async function buildEvent(answer: Response): Promise<string> {
  const body = (await answer.text()) || JSON.stringify(tokenEnded)
  return answer.ok ? `data: ${body}\n\n` : `event: error\ndata: ${body}\n\n`
}

/**
 * An answer that is still being made, as server-sent events (A2A 1.0 §11.7): comments as long as it is not there, then the
 * answer's body as the one event, and the end. An error is an event of the type `error` with the envelope of §6, as
 * `@a2a-js/sdk` writes and reads it: the status has left by then. Nothing on the way may hold it back or pack it.
 *
 * @param answer never rejects; nobody else reads its body. A caller who leaves does not stop what makes it
 */
export function eventStream(answer: Promise<Response>): Response {
  let timer: NodeJS.Timeout | undefined
  let left = false
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => controller.enqueue(encoder.encode(text))
      write(KEEP_ALIVE)
      timer = setInterval(write, KEEP_ALIVE_TIME, KEEP_ALIVE)
      void answer.then(buildEvent).then((event) => {
        clearInterval(timer)
        if (left) return
        write(event)
        controller.close()
      })
    },
    cancel() {
      left = true
      clearInterval(timer)
    },
  })
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
  })
}
