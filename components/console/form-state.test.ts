import { describe, expect, it } from 'vitest'
import { idle, textOf, typedValues, withoutTyped } from './form-state.ts'

describe('what was typed into a form', () => {
  it('keeps one text as it is and several as a list, without files and $ACTION_ fields', () => {
    const data = new FormData()
    data.set('name', 'Acme')
    data.append('scope', 'a')
    data.append('scope', 'b')
    data.set('$ACTION_ID_1', '')
    data.set('logo', new File([''], 'logo.png'))
    expect(typedValues(data)).toEqual({ name: 'Acme', scope: ['a', 'b'], logo: [] })
  })

  it('does not come back where it is a secret', () => {
    const answer = {
      ...idle,
      status: 'failed',
      values: { apiKey: 'sk-1', text: 'Hello', 'secret.a': 'x' },
    } as const
    const isSecret = (name: string) => name === 'apiKey' || name.startsWith('secret.')
    expect(withoutTyped(answer, isSecret)).toEqual({ ...answer, values: { text: 'Hello' } })
  })

  it('tells an empty field from a missing one', () => {
    expect(textOf('')).toBe('')
    expect(textOf(undefined)).toBeUndefined()
    expect(textOf([])).toBeUndefined()
  })
})
