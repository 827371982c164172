/** The most that a request's body may have, in bytes. */
export const MAX_BODY_BYTES = 256 * 1024

const decoder = new TextDecoder('utf-8', { fatal: true })

async function readCounted(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array | undefined> {
  const announced = request.headers.get('Content-Length')
  if (announced !== null) {
    // HTTP's own framing holds a body to its announced length.
    return Number(announced) > limit ? undefined : new Uint8Array(await request.arrayBuffer())
  }
  return request.body ? readCounted(request.body, limit) : new Uint8Array()
}

/**
 * Reads a request's body as text, counting while it reads.
 *
 * @param limit the most that it may have, in bytes
 * @returns what is wrong where it is too large, not UTF-8, or broke off
 */
export async function readTextBody(
  request: Request,
  limit: number,
): Promise<{ ok: true; text: string } | { ok: false; fault: string; tooLarge?: true }> {
  let bytes: Uint8Array | undefined
  try {
    bytes = await readBytes(request, limit)
  } catch {
    return { ok: false, fault: 'The body could not be read' }
  }
  if (!bytes) return { ok: false, fault: `The body is larger than ${limit} bytes`, tooLarge: true }
  try {
    return { ok: true, text: decoder.decode(bytes) }
  } catch {
    return { ok: false, fault: 'The body is not UTF-8' }
  }
}

/**
 * Reads a request's body as JSON, counting while it reads.
 *
 * @returns what is wrong where it is too large, not UTF-8, not JSON, or broke off
 */
export async function readJsonBody(
  request: Request,
): Promise<{ ok: true; value: unknown } | { ok: false; fault: string }> {
  const read = await readTextBody(request, MAX_BODY_BYTES)
  if (!read.ok) return read
  try {
    return { ok: true, value: JSON.parse(read.text) }
  } catch {
    return { ok: false, fault: 'The body is not JSON in UTF-8' }
  }
}
