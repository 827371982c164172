import { describe, expect, it } from 'vitest'
import { tellUnreadable, UnreadableFormError } from './unreadable-form.ts'

const data = new FormData()
data.set('rules[0].call[0].tool', '')
const unreadable = new UnreadableFormError([{ path: ['rules', 0, 'call', 0, 'tool'], reason: 'is required' }])

describe('a form that can not be read', () => {
  it('is told at its fields, also where it is found only after a conflict', async () => {
    const work = async () => {
      try {
        throw new Error('somebody was faster')
      } catch {
        throw unreadable
      }
    }
    expect(await tellUnreadable(data, work)).toEqual({
      status: 'invalid',
      errors: { 'rules[0].call[0].tool': ['is required'] },
    })
  })

  it('hides neither an answer nor another error', async () => {
    expect(await tellUnreadable(data, async () => ({ status: 'done' }))).toEqual({ status: 'done' })
    await expect(tellUnreadable(data, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  })
})
