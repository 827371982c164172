import { describe, expect, it } from 'vitest'
import { findOwner } from './postgres-account.ts'

const passwd = [
  'root:x:0:0:root:/root:/bin/bash',
  'nobody:x:65534:65534::/:/x',
  'postgres:x:101:104::/:/x',
].join('\n')

describe('the account that stands in for root', () => {
  it('is the first that exists', () => {
    expect(findOwner(passwd, ['postgres', 'nobody'])).toEqual({ uid: 101, gid: 104 })
    expect(findOwner(passwd, ['pg', 'nobody'])).toEqual({ uid: 65_534, gid: 65_534 })
  })

  it('is never root', () => {
    expect(findOwner(passwd, ['root', 'absent'])).toBeUndefined()
  })
})
