import { expect, it } from 'vitest'
import { triedTurnSchema } from './try-agent.ts'

it('a model’s key that is tried is one that a header can carry, as those that are stored', () => {
  const turn = { text: 'Hello', past: { turns: [], state: {} }, answers: {} }
  const isTaken = (apiKey: string) => triedTurnSchema.safeParse({ ...turn, apiKey }).success
  expect(['sk-1', 'sk-1\r\nHost: other', 'schlüssel', ''].map(isTaken)).toEqual([true, false, false, false])
})
