import { describe, expect, it } from 'vitest'
import { readMessage } from './send-message.ts'

/** What becomes of a message with these members: its text, or the reason of the error. */
async function outcomeOf(members: Record<string, unknown>) {
  const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }], ...members }
  const request = new Request('http://localhost', { method: 'POST', body: JSON.stringify({ message }) })
  const read = await readMessage(request)
  return read.ok ? read.value.text : read.error.reason
}

describe('§4.1 parts', () => {
  it.each([
    [[{ text: 'a' }], 'a'],
    [[{ text: 'a' }, { text: 'b' }], 'a\nb'],
    [[{ text: 'a', mediaType: 'text/plain', metadata: { x: 1 } }], 'a'],
    [[{ text: ' ' }, { text: 'a' }], ' \na'],
    [[{ text: null }, { text: 'a' }], '\na'],
    [[{}, { text: 'a' }], '\na'],
    [[{ metadata: {} }, { text: 'a' }], '\na'],
    [[{ kind: 'text', text: 'a', somethingNew: [1] }], 'a'],
    [[{ kind: 'text' }], 'INVALID_PARAMS'],
    [[{ kind: 'file', file: { uri: 'x' } }], 'CONTENT_TYPE_NOT_SUPPORTED'],
    [[], 'INVALID_PARAMS'],
    [[{}], 'INVALID_PARAMS'],
    [[{ text: null }], 'INVALID_PARAMS'],
    [[{ text: '' }], 'INVALID_PARAMS'],
    [[{ text: '\u00a0\n' }], 'INVALID_PARAMS'],
    [[{ text: 7 }], 'INVALID_PARAMS'],
    [['text'], 'INVALID_PARAMS'],
    [{ text: 'a' }, 'INVALID_PARAMS'],
    [[{ text: 'a', data: {} }], 'INVALID_PARAMS'],
    [[{ text: 'x'.repeat(32 * 1024 + 1) }], 'INVALID_PARAMS'],
    [Array.from({ length: 33 }, () => ({ text: 'a' })), 'INVALID_PARAMS'],
    [[{ data: { a: 1 } }], 'CONTENT_TYPE_NOT_SUPPORTED'],
    [[{ raw: 'aGk=', mediaType: 'text/plain' }], 'CONTENT_TYPE_NOT_SUPPORTED'],
    [[{ text: 'a' }, { url: 'https://example.com/a.png' }], 'CONTENT_TYPE_NOT_SUPPORTED'],
    [[{ text: 'a' }, { file: { uri: 'x' } }], 'CONTENT_TYPE_NOT_SUPPORTED'],
  ])('%j: %s', async (parts, outcome) => {
    expect(await outcomeOf({ parts })).toBe(outcome)
  })
})

describe('§4.1 other members', () => {
  it.each([
    [{ role: 'ROLE_AGENT' }, 'INVALID_PARAMS'],
    [{ role: undefined }, 'INVALID_PARAMS'],
    [{ messageId: '' }, 'INVALID_PARAMS'],
    [{ messageId: 'x'.repeat(256) }, 'INVALID_PARAMS'],
    [{ messageId: 'a\0' }, 'INVALID_PARAMS'],
    [{ taskId: 't-1' }, 'TASK_NOT_FOUND'],
    [{ contextId: 7 }, 'INVALID_PARAMS'],
    // ProtoJSON writes a string that is not set as "", or leaves it out.
    [{ taskId: '', contextId: '' }, 'hello'],
    [{ taskId: null, contextId: null }, 'hello'],
    [{ metadata: 'ignored', extensions: 7, referenceTaskIds: {} }, 'hello'],
  ])('%j: %s', async (members, outcome) => {
    expect(await outcomeOf(members)).toBe(outcome)
  })
})
