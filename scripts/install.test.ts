import { describe, expect, it } from 'vitest'
import { isInstallationCurrent } from './install.js'

const wanted = { '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0' } }

describe('an installation', () => {
  it('is current when every package of the lock file is there in its version', () => {
    expect(isInstallationCurrent(wanted, wanted)).toBe(true)
  })

  it('is not when one is missing, or has another version', () => {
    expect(isInstallationCurrent(wanted, { 'node_modules/a': { version: '1.0.0' } })).toBe(false)
    expect(isInstallationCurrent(wanted, { ...wanted, 'node_modules/b': { version: '2.0.1' } })).toBe(false)
  })

  it('may lack what is for another platform, and nothing for this one', () => {
    const foreign = { version: '1.0.0', optional: true, os: ['aix'], cpu: ['ppc64'] }
    expect(isInstallationCurrent({ 'node_modules/foreign': foreign }, {})).toBe(true)
    const own = { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] }
    expect(isInstallationCurrent({ 'node_modules/own': own }, {})).toBe(false)
  })
})
