import type { IncomingHttpHeaders } from 'node:http'
import type { Answerer, ChatAnswer, ChatRequest } from '#examples/model/chat.ts'
import { obeyDirectives } from '#examples/model/directives.ts'
import { serveModel } from '#examples/model/serve.ts'

export type TestModel = {
  /** The base URL of the protocol. */
  url: string
  /** Every request since the start, or since `requests` was emptied. */
  requests: ChatRequest[]
  /** The headers of each. */
  headers: IncomingHttpHeaders[]
  /** From here on, requests are answered by this. */
  answerWith(answer: Answerer): void
  /** From here on, requests are answered by these in turn, the last one again and again. */
  answerInTurn(...answers: ChatAnswer[]): void
  close(): Promise<void>
}

/**
 * The model of `examples/model`, on loopback: it keeps every request, and says what the test decides. At first it obeys what
 * stands in `[[…]]`, and otherwise says "As you say."
 */
export async function startModel(): Promise<TestModel> {
  const requests: ChatRequest[] = []
  const headers: IncomingHttpHeaders[] = []
  let answer: Answerer = obeyDirectives(() => ({ text: 'As you say.' }))
  const { url, close } = await serveModel((request, sent = {}) => {
    requests.push(request)
    headers.push(sent)
    return answer(request)
  })
  return {
    url,
    requests,
    headers,
    answerWith: (given) => {
      answer = given
    },
    answerInTurn: (...answers) => {
      let next = 0
      answer = () => answers[Math.min(next++, answers.length - 1)] ?? {}
    },
    close,
  }
}
