import { randomUUID } from 'node:crypto'
import { expectA2aError, expectReply, type Reason } from '../expectations.ts'
import { listed, must } from '../requirement.ts'

const text = { text: 'Hello' }

/** An A2A Message; `undefined` members are left out on the wire. */
function message(members: Record<string, unknown> = {}) {
  return { message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [text], ...members } }
}

must('4.1', 'an A2A SendMessageRequest with one text part is answered', async (provider) => {
  expectReply(await provider.message())
})

must('4.1', 'configuration and metadata may be there', async (provider) => {
  const configuration = { acceptedOutputModes: ['text/plain'], returnImmediately: false, historyLength: 0 }
  expectReply(await provider.post({ ...message(), configuration, metadata: { any: { thing: [1] } } }))
})

must('4.1', 'what else A2A allows in a Message may be there', async (provider) => {
  const part = { text: 'Hello', mediaType: 'text/plain', metadata: { any: 1 } }
  const members = { parts: [part], metadata: { any: 1 }, extensions: [], referenceTaskIds: [] }
  expectReply(await provider.post(message(members)))
})

must('4.1', 'one non-blank text part is enough: a blank one beside it is no error', async (provider) => {
  expectReply(await provider.post(message({ parts: [{ text: ' ' }, text] })))
})

must('4.1', 'text of any script arrives: the message is answered', async (provider) => {
  expectReply(await provider.message({ text: 'Grüße, Καλημέρα, こんにちは, 👋🏽' }))
})

/** What §4.1 refuses, with the reason that it gets. */
const refused: [string, unknown, Reason][] = [
  ['role ROLE_AGENT', message({ role: 'ROLE_AGENT' }), 'INVALID_PARAMS'],
  ['role ROLE_UNSPECIFIED', message({ role: 'ROLE_UNSPECIFIED' }), 'INVALID_PARAMS'],
  ['role "user"', message({ role: 'user' }), 'INVALID_PARAMS'],
  ['no role', message({ role: undefined }), 'INVALID_PARAMS'],
  ['no parts', message({ parts: undefined }), 'INVALID_PARAMS'],
  ['an empty list of parts', message({ parts: [] }), 'INVALID_PARAMS'],
  ['parts that are not a list', message({ parts: 'Hello' }), 'INVALID_PARAMS'],
  ['a part that is not an object', message({ parts: ['Hello'] }), 'INVALID_PARAMS'],
  ['empty text', message({ parts: [{ text: '' }] }), 'INVALID_PARAMS'],
  ['blank text', message({ parts: [{ text: ' \n\t ' }] }), 'INVALID_PARAMS'],
  ['only blank text parts', message({ parts: [{ text: '' }, { text: '  ' }] }), 'INVALID_PARAMS'],
  ['text that is not a string', message({ parts: [{ text: 42 }] }), 'INVALID_PARAMS'],
  ['a data part', message({ parts: [{ data: { order: 1 } }] }), 'CONTENT_TYPE_NOT_SUPPORTED'],
  [
    'a raw part',
    message({ parts: [{ raw: 'AAAA', mediaType: 'image/png', filename: 'a.png' }] }),
    'CONTENT_TYPE_NOT_SUPPORTED',
  ],
  [
    'a url part',
    message({ parts: [{ url: 'https://example.com/a.png', mediaType: 'image/png' }] }),
    'CONTENT_TYPE_NOT_SUPPORTED',
  ],
  [
    'a data part after a text part',
    message({ parts: [text, { data: { order: 1 } }] }),
    'CONTENT_TYPE_NOT_SUPPORTED',
  ],
  [
    'a url part before a text part',
    message({ parts: [{ url: 'https://example.com/a.png' }, text] }),
    'CONTENT_TYPE_NOT_SUPPORTED',
  ],
  ['a taskId', message({ taskId: randomUUID() }), 'TASK_NOT_FOUND'],
  ['no messageId', message({ messageId: undefined }), 'INVALID_PARAMS'],
  ['an empty messageId', message({ messageId: '' }), 'INVALID_PARAMS'],
  ['a messageId that is not a string', message({ messageId: 7 }), 'INVALID_PARAMS'],
  ['a contextId that is not a string', message({ contextId: { id: 1 } }), 'INVALID_PARAMS'],
]

for (const [what, body, reason] of refused) {
  must('4.1', `${what} gets ${reason}`, async (provider) => {
    expectA2aError(await provider.post(body), reason)
  })
}

must('4.1', 'a taskId in a conversation of one’s own gets TASK_NOT_FOUND too', async (provider) => {
  const { token, contextId } = await provider.converse()
  expectA2aError(
    await provider.message({ token, contextId, extra: { taskId: randomUUID() } }),
    'TASK_NOT_FOUND',
  )
})

listed('4.1', 'MUST', 'messageId is unique within the context', 'binds personal agents')
