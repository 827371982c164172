import { describe, expect, it } from 'vitest'
import { chooseMeasured, measuredKinds, targetNames } from './kinds.ts'

describe('chooseMeasured', () => {
  it('leaves everything where nothing is named', () => {
    expect(chooseMeasured()).toEqual({ targets: targetNames, kinds: measuredKinds })
  })

  it('takes a server for all that is sent, and a kind for all servers', () => {
    expect(chooseMeasured(['lane'])).toEqual({ targets: ['lane'], kinds: measuredKinds })
    const { targets, kinds } = chooseMeasured(['poll'])
    expect([targets, kinds.map(({ kind }) => kind)]).toEqual([targetNames, ['poll']])
  })

  it('takes a part, and both at once', () => {
    const { targets, kinds } = chooseMeasured(['floor', 'lane', 'identity', 'refresh'])
    expect([targets, kinds.map(({ kind }) => kind)]).toEqual([
      ['floor', 'lane'],
      ['new', 'continued', 'refresh'],
    ])
  })
})
