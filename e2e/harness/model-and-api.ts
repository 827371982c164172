import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startBrandApi, type TestBrandApi } from './brand-api.ts'
import { startModel, type TestModel } from './model-endpoint.ts'

export type ModelAndApi = { api: Omit<TestBrandApi, 'close'>; model: Omit<TestModel, 'close'> }

/**
 * A model and a Brand's API for all tests of the file that calls this, started and closed by Vitest's hooks. Before each test
 * they forget what they were asked, and the API answers that it is done.
 */
export function modelAndApiOfThisFile(): ModelAndApi {
  let started: { api: TestBrandApi; model: TestModel } | undefined
  const both = () => {
    if (started) return started
    throw new Error('the model and the API start before the first test')
  }
  beforeAll(async () => {
    started = { api: await startBrandApi(), model: await startModel() }
  })
  afterAll(async () => {
    await started?.api.close()
    await started?.model.close()
  })
  beforeEach(() => {
    const { api, model } = both()
    api.calls.length = 0
    api.answerWith(() => ({ json: { done: true } }))
    model.requests.length = 0
  })
  return {
    api: {
      get origin() {
        return both().api.origin
      },
      get calls() {
        return both().api.calls
      },
      answerWith: (answer) => both().api.answerWith(answer),
    },
    model: {
      get url() {
        return both().model.url
      },
      get requests() {
        return both().model.requests
      },
      get headers() {
        return both().model.headers
      },
      answerWith: (answer) => both().model.answerWith(answer),
      answerInTurn: (...answers) => both().model.answerInTurn(...answers),
    },
  }
}
