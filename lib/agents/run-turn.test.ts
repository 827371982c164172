import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { turnRequest } from '#e2e/harness/turn-request.ts'
import type { Agent, Answer, TurnOutcome } from './agent.ts'
import { BROKEN_OFF_TEXT } from './fixed-texts.ts'
import { AgentFailedError, AgentTimeoutError, answerAtOnce, runTurn } from './run-turn.ts'

const turn = turnRequest()
const answer: Answer = { reply: 'Hello.', state: { a: 1 }, close: false, actions: [], scopesUsed: [] }

function agent(run: Agent['run'], timeLimit = 1_000): Agent {
  return { timeLimit, run }
}

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('runTurn', () => {
  it('gives the agent the turn, and its answer back', async () => {
    const run = vi.fn(async () => answer)
    await expect(runTurn(agent(run), turn)).resolves.toEqual(answer)
    const given = { signal: expect.any(AbortSignal), endsAt: expect.any(Number), sent: new Set() }
    expect(run).toHaveBeenCalledWith({ ...turn, ...given })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends a turn at the time limit, fires its signal and discards what comes later', async () => {
    const late = Promise.withResolvers<TurnOutcome>()
    let signal: AbortSignal | undefined
    const slow = agent((given) => {
      signal = given.signal
      return late.promise
    }, 500)
    const outcome = expect(runTurn(slow, turn)).rejects.toThrow(AgentTimeoutError)
    await vi.advanceTimersByTimeAsync(499)
    expect(signal?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await outcome
    expect(signal?.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
    late.reject(new Error('too late to be heard'))
  })

  it('an agent that gives up on the signal has still timed out', async () => {
    const obedient = agent(({ signal }) => {
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })
    const outcome = expect(runTurn(obedient, turn)).rejects.toThrow(AgentTimeoutError)
    await vi.advanceTimersByTimeAsync(1_000)
    await outcome
  })

  it('says why an agent failed, and leaves no timer behind', async () => {
    const cause = new Error('out of order')
    const failing = [
      agent(async () => {
        throw cause
      }),
      agent(() => {
        throw cause
      }),
    ]
    for (const each of failing) {
      const error: unknown = await runTurn(each, turn).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(AgentFailedError)
      expect(error).toHaveProperty('cause', cause)
    }
    expect(vi.getTimerCount()).toBe(0)
  })

  describe('once a call was sent', () => {
    const call = { action: { tool: 'cancel' }, scopes: ['orders:cancel'], changes: true }
    const other = { action: { tool: 'list' }, scopes: [], changes: false }
    const told = { actions: [call.action, other.action], scopesUsed: ['orders:cancel'] }
    const brokenOff = { reply: BROKEN_OFF_TEXT, state: turn.state, close: false, ...told }

    it('a turn past its time limit is answered, and tells what was sent', async () => {
      const slow = agent(({ sent }) => {
        sent.add(call).add(other)
        return new Promise(() => {})
      }, 500)
      const outcome = runTurn(slow, turn)
      await vi.advanceTimersByTimeAsync(500)
      expect(await outcome).toEqual({ ...brokenOff, fault: expect.any(AgentTimeoutError) })
      expect(vi.getTimerCount()).toBe(0)
    })

    it.each([
      ['fails', undefined],
      ['answers unusably', { ...answer, ...told, reply: '' }],
      ['does not tell of every call', { ...answer, actions: [call.action] }],
      ['steps up and does not tell of every call', { missingScopes: ['a'], text: 'May I?' }],
      ['says that its token ended', { tokenEnded: true } as const],
    ])('so is one whose agent %s', async (_, outcome) => {
      const failing = agent(async ({ sent }) => {
        sent.add(call).add(other)
        if (!outcome) throw new Error('out of order')
        return outcome
      })
      expect(await runTurn(failing, turn)).toEqual({ ...brokenOff, fault: expect.any(AgentFailedError) })
    })
  })

  it('a step-up may come after a call, if it tells of it', async () => {
    const call = { action: { tool: 'list' }, scopes: ['orders:read'], changes: false }
    const stepUp = {
      missingScopes: ['orders:cancel'],
      text: 'May I?',
      actions: [call.action],
      scopesUsed: ['orders:read'],
    }
    const calling = agent(async ({ sent }) => {
      sent.add(call)
      return stepUp
    })
    expect(await runTurn(calling, turn)).toEqual(stepUp)
  })

  it.each([
    ['no object', undefined],
    ['a blank reply', { ...answer, reply: ' \n' }],
    ['no reply', { state: {}, close: false }],
    ['a reply with U+0000', { ...answer, reply: 'a\0b' }],
    ['a reply with a lone surrogate', { ...answer, reply: 'a\uD83D' }],
    ['a reply over 32 KiB', { ...answer, reply: 'é'.repeat(16_385) }],
    ['no word on closing', { ...answer, close: undefined }],
    ['no state', { ...answer, state: undefined }],
    ['a state of objects', { ...answer, state: { a: {} } }],
    ['no word on what was done', { ...answer, actions: undefined }],
    ['scopes that are no text', { ...answer, scopesUsed: [1] }],
    ['a step-up that misses nothing', { missingScopes: [], text: 'Please.' }],
    ['a step-up that does not say what was done', { missingScopes: ['a'], text: 'Please.', actions: 1 }],
    ['a step-up without words', { missingScopes: ['a'], text: ' ' }],
    ['a step-up that answers as well', { ...answer, missingScopes: undefined, text: 'Please.' }],
  ])('refuses an answer with %s', async (_name, outcome) => {
    const strange = agent(async () => outcome as unknown as TurnOutcome)
    await expect(runTurn(strange, turn)).rejects.toThrow(AgentFailedError)
  })

  it('takes a reply of exactly 32 KiB', async () => {
    const reply = 'é'.repeat(16_384)
    await expect(
      runTurn(
        agent(async () => ({ ...answer, reply })),
        turn,
      ),
    ).resolves.toMatchObject({ reply })
  })
})

describe('answerAtOnce', () => {
  const said = { text: 'Hello', state: {} }
  const atOnce = (given: () => unknown): Agent => ({
    ...agent(async () => answer),
    answerAtOnce: given as () => Answer,
  })

  it('gives what the agent says', () => {
    expect(
      answerAtOnce(
        atOnce(() => answer),
        said,
      ),
    ).toBe(answer)
  })

  it('leaves to a run whatever is wrong with it: that says so', () => {
    const wrong = [
      () => undefined,
      () => ({ ...answer, reply: ' ' }),
      () => ({ ...answer, state: { a: {} } }),
      () => ({ ...answer, actions: [{ tool: 'orders' }] }),
      () => ({ missingScopes: ['read'], text: 'Please allow it.' }),
      () => {
        throw new Error('broken')
      },
    ]
    for (const given of wrong) expect(answerAtOnce(atOnce(given), said)).toBeUndefined()
    expect(
      answerAtOnce(
        agent(async () => answer),
        said,
      ),
    ).toBeUndefined()
  })
})
