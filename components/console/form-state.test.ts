import { describe, expect, it } from 'vitest'
import { textOf, typedValues } from './form-state.ts'

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

  it('tells an empty field from a missing one', () => {
    expect(textOf('')).toBe('')
    expect(textOf(undefined)).toBeUndefined()
    expect(textOf([])).toBeUndefined()
  })
})
