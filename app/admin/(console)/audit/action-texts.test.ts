import { expect, it } from 'vitest'
import { otherActions, plannedNouns, plannedVerbs } from '#lib/access/audit-actions.ts'
import { describeAction } from './action-texts.ts'

it('every action has words of its own, so that a list of them can be chosen from', () => {
  const planned = plannedNouns.flatMap((noun) => plannedVerbs.map((verb) => `${noun}.${verb}`))
  const all = [...planned, ...otherActions]
  expect(new Set(all.map(describeAction)).size).toBe(all.length)
  expect(describeAction('signing-key.activate')).toBe('Began to sign with a key')
  expect(describeAction('brand.update')).toBe('Changed a Brand')
})

it.each(['key.turn', 'brand', 'toString', 'brand.toString', 'constructor.create'])(
  'an action that nothing writes has none: %s',
  (action) => expect(describeAction(action)).toBeUndefined(),
)
