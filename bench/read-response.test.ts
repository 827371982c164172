import { describe, expect, it } from 'vitest'
import { readResponse } from './read-response.ts'

const sized = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nContent-Length: 5\r\n\r\nhello'
const chunked =
  'HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n'

describe('readResponse', () => {
  it('reads a body of a given length (RFC 9112 §6.2)', () => {
    expect(readResponse(sized)).toEqual({ status: 200, body: 'hello' })
  })

  it('reads a chunked body (RFC 9112 §7.1)', () => {
    expect(readResponse(chunked)).toEqual({ status: 400, body: 'hello world' })
  })

  it('waits for the rest, wherever the text breaks off', () => {
    for (const text of [sized, chunked]) {
      for (let length = 0; length < text.length; length += 1) {
        expect(readResponse(text.slice(0, length))).toBeUndefined()
      }
    }
  })
})
