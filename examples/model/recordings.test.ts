import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startModel } from '#e2e/harness/model-endpoint.ts'
import { loadModels } from './models.ts'
import { recordAnswers } from './recorder.ts'
import { answerByRecordings, readRecordings } from './recordings.ts'
import { serveModel } from './serve.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recordings-'))
})
afterAll(() => rm(folder, { recursive: true }))

const instructions = { role: 'system', content: 'Be brief.' }
const question = { role: 'user', content: 'Where is A-1?' }
const asked = (id: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'find', arguments: '{"number":"A-1"}' } }],
})
const found = (id: string) => ({ role: 'tool', tool_call_id: id, content: '{"state":"shipped"}' })

async function ask(url: string, messages: unknown[]) {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer key-1' },
    body: JSON.stringify({ model: 'any', messages }),
  })
  if (response.status !== 200) return response.status
  const { choices } = (await response.json()) as {
    choices: { message: { content: unknown; tool_calls?: unknown } }[]
  }
  return choices[0]?.message
}

it('what a model answered is kept, and answered again without it, word for word', async () => {
  const path = join(folder, 'kept.jsonl')
  const upstream = await startModel()
  upstream.answerInTurn(
    { calls: [{ tool: 'find', arguments: { number: 'A-1' } }] },
    { text: 'It is on its way.' },
    { status: 503, raw: '{}' },
  )
  const recorder = await serveModel(recordAnswers(upstream.url, path))
  expect(await ask(recorder.url, [instructions, question])).toMatchObject({
    tool_calls: [{ function: { name: 'find', arguments: '{"number":"A-1"}' } }],
  })
  const whole = [question, asked('a'), found('a')]
  expect(await ask(recorder.url, [instructions, ...whole])).toMatchObject({ content: 'It is on its way.' })
  expect(await ask(recorder.url, [{ role: 'user', content: 'Hello' }])).toBe(503)
  expect(upstream.headers[0]?.authorization).toBe('Bearer key-1')
  await recorder.close()
  await upstream.close()

  const kept = await readRecordings(path)
  expect(kept).toHaveLength(2)
  expect(JSON.stringify(kept)).not.toMatch(/key-1|brief/)
  const again = await serveModel(answerByRecordings(kept, () => ({ text: 'Not recorded.' })))
  // Other instructions and other ids are the same question.
  const other = [{ role: 'system', content: 'Be long.' }, question, asked('b'), found('b')]
  expect(await ask(again.url, other.slice(0, 2))).toMatchObject({
    tool_calls: [{ function: { name: 'find' } }],
  })
  expect(await ask(again.url, other)).toMatchObject({ content: 'It is on its way.' })
  expect(await ask(again.url, [...whole, { role: 'user', content: 'Where is A-1?' }])).toMatchObject({
    content: 'Not recorded.',
  })
  await again.close()
})

it('the demo’s model has recorded answers before its rules, and after what stands in [[…]]', async () => {
  const models = await loadModels()
  const [recording] = await readRecordings(join(import.meta.dirname, 'recordings', 'willow-lane.jsonl'))
  const content = recording?.said[0]?.text ?? ''
  const say = (text: string) =>
    models({ model: 'willow-lane', messages: [{ role: 'user', content: text, tool_calls: undefined }] })
  expect(await say(content)).toEqual(recording?.answer)
  expect(await say(`${content} [[say No.]]`)).toMatchObject({ text: 'No.' })
  expect(await say(`${content}?`)).not.toEqual(recording?.answer)
})
