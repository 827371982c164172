import { describe, expect, it } from 'vitest'
import { findStateFault } from '../state.ts'
import { readBotAnswer } from './bot-answer.ts'
import { BotError } from './bot-error.ts'

const told = 'jane@mail.example'

function fail(answer: unknown): BotError {
  try {
    readBotAnswer(answer)
  } catch (error) {
    if (error instanceof BotError) return error
    throw error
  }
  return expect.fail('it was read')
}

describe('what is wrong with a bot’s answer', () => {
  it.each([
    [{ reply: 'Hello', [told]: 1 }, 'answer: has a member that is not known'],
    [{ reply: 'Hello', state: { [told]: {} } }, 'answer.state.(unknown): '],
    [
      { reply: 'Hello', actions: [{ tool: 'a' }, { tool: 'a', [told]: 1 }] },
      'answer.actions.1: has a member that',
    ],
    [{ reply: 'Hello', actions: [{ tool: 'a', args: told }] }, 'answer.actions.0.args: '],
    [{ missingScopes: [told, 7], text: 'x' }, 'answer.missingScopes.1: '],
    [[told], 'answer: '],
    [{ [told]: told }, 'answer.reply: '],
  ])('names no member that the bot made up: %j', (answer, fault) => {
    const { message } = fail(answer)
    expect(message).toContain(`the bot's answer is unusable: ${fault}`)
    expect(message).not.toContain(told)
  })

  it('of a state that can’t be kept, either', () => {
    const states = [{ [told]: 'x'.repeat(1_001) }, { [told]: '\u0000' }, { [told]: {} }]
    for (const state of states) expect(findStateFault(state)).not.toContain(told)
  })
})
