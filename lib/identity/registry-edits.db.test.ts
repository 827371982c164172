import { beforeEach, describe, expect, it } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { prisma } from '#lib/platform/database.ts'
import { addPersonalAgent, listPersonalAgents, setPersonalAgentEnabled } from './registry-edits.ts'

const settings = { name: 'Agent', issuer: 'https://a.example', jwksUri: 'https://a.example/keys' }

databaseOfThisFile()

beforeEach(() => prisma().personalAgent.deleteMany())

describe('registering a personal agent (§3.1)', () => {
  it('lets it in, with the limits that are its own', async () => {
    const limits = { perUser: { requests: 1, perSeconds: 2 } }
    expect(await addPersonalAgent({ ...settings, limits })).toMatchObject({ kind: 'added' })
    expect(await listPersonalAgents()).toMatchObject([
      { ...settings, limits, enabled: true, origin: 'registered' },
    ])
  })

  it('refuses an issuer that is registered, whatever else differs', async () => {
    await addPersonalAgent(settings)
    expect(await addPersonalAgent({ ...settings, name: 'Other' })).toEqual({ kind: 'already-registered' })
    expect(await listPersonalAgents()).toMatchObject([{ name: 'Agent' }])
  })

  it('compares issuers exactly', async () => {
    await addPersonalAgent(settings)
    expect(await addPersonalAgent({ ...settings, issuer: 'https://a.example/' })).toMatchObject({
      kind: 'added',
    })
  })

  it('takes over one that was only discovered, and leaves it disabled', async () => {
    const found = { ...settings, name: 'Found', origin: 'discovered', enabled: false } as const
    await prisma().personalAgent.create({ data: found })
    expect(await addPersonalAgent(settings)).toMatchObject({
      kind: 'added',
      personalAgent: { name: 'Agent', origin: 'registered', enabled: false },
    })
  })

  it('lets one of two at the same moment be first', async () => {
    const kinds = (await Promise.all([addPersonalAgent(settings), addPersonalAgent(settings)])).map(
      ({ kind }) => kind,
    )
    expect(kinds.sort()).toEqual(['added', 'already-registered'])
  })
})

describe('shutting one out', () => {
  it('counts as a change once', async () => {
    await addPersonalAgent(settings)
    expect(await setPersonalAgentEnabled(settings.issuer, false)).toMatchObject({
      kind: 'changed',
      personalAgent: { enabled: false },
    })
    expect(await setPersonalAgentEnabled(settings.issuer, false)).toMatchObject({ kind: 'unchanged' })
  })

  it('knows nobody by a name or a part of the issuer', async () => {
    await addPersonalAgent(settings)
    expect(await setPersonalAgentEnabled('Agent', false)).toEqual({ kind: 'unknown' })
    expect(await setPersonalAgentEnabled('https://a.example/', false)).toEqual({ kind: 'unknown' })
  })
})
