export type RawResponse = { status: number; body: string }

/** Decodes a chunked body (RFC 9112 §7.1). Undefined: it has not ended. */
function readChunks(text: string, start: number): string | undefined {
  let body = ''
  for (let at = start; ; ) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    const end = lineEnd + 2 + size
    if (text.length < end + 2) return undefined
    if (size === 0) return body
    body += text.slice(lineEnd + 2, end)
    at = end + 2
  }
}

/**
 * Reads one HTTP/1.1 response, as far as the servers under test make use of the protocol: a length or chunks.
 *
 * @param text what has arrived, one character a byte
 * @returns undefined while more must come
 */
export function readResponse(text: string): RawResponse | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = text.slice(0, headEnd)
  const status = Number(head.slice(9, 12))
  const start = headEnd + 4
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)
  if (length) {
    const end = start + Number(length[1])
    return text.length < end ? undefined : { status, body: text.slice(start, end) }
  }
  const body = /\r\ntransfer-encoding: *chunked/i.test(head) ? readChunks(text, start) : ''
  return body === undefined ? undefined : { status, body }
}
