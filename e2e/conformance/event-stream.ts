/** One event of a stream, as a page's `EventSource` would get it. */
export type StreamEvent = { type: string; data: string }

/** Reads server-sent events (WHATWG HTML §9.2.6) that have come to their end. What is no field of an event is a comment. */
export function parseEventStream(text: string): { events: StreamEvent[]; comments: string[] } {
  const events: StreamEvent[] = []
  const comments: string[] = []
  for (const block of text.split(/\r?\n\r?\n/)) {
    const lines = block.split(/\r?\n/)
    const valuesOf = (name: string) =>
      lines
        .filter((line) => line.startsWith(`${name}:`))
        .map((line) => line.slice(name.length + 1).trimStart())
    comments.push(...valuesOf(''))
    const data = valuesOf('data')
    if (data.length > 0) events.push({ type: valuesOf('event').at(-1) ?? 'message', data: data.join('\n') })
  }
  return { events, comments }
}
