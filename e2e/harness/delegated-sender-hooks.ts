import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type DelegatedSender, startDelegatedSender } from './delegated-sender.ts'

/**
 * A sender for all tests of the file that calls this, started and closed by Vitest's hooks. Before each test the Brand's API
 * forgets its calls and answers with one order, A-1.
 */
export function delegatedSenderOfThisFile(): Omit<DelegatedSender, 'close'> {
  let started: DelegatedSender | undefined
  const sender = (): DelegatedSender => {
    if (started) return started
    throw new Error('the sender starts before the first test')
  }
  beforeAll(async () => {
    started = await startDelegatedSender()
  })
  afterAll(() => started?.close())
  beforeEach(() => {
    const { api } = sender()
    api.calls.length = 0
    api.answerWith(({ path }) => ({
      json: path === '/orders' ? { orders: [{ number: 'A-1', status: 'packed' }] } : { refund: '12 EUR.' },
    }))
  })
  return {
    get api() {
      return sender().api
    },
    get agent() {
      return sender().agent
    },
    get otherAgent() {
      return sender().otherAgent
    },
    tokenFor: (...of) => sender().tokenFor(...of),
    send: (...sent) => sender().send(...sent),
    stream: (...sent) => sender().stream(...sent),
    grantTo: (...to) => sender().grantTo(...to),
    allow: (...scopes) => sender().allow(...scopes),
  }
}
