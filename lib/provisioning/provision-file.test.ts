import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadProvision } from './provision-file.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'provision-file-'))
  vi.stubEnv('PACT_CALLER_DIR', folder)
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

const load = (file: string) => loadProvision(file, { allowLoopback: true })

describe('a provision file on disk', () => {
  it('is found where the operator stands', async () => {
    await writeFile(join(folder, 'good.yaml'), 'provider: { organization: Grüße, audience: x }\n')
    expect((await load('good.yaml')).provision.provider?.organization).toBe('Grüße')
  })

  it('that can not be read is refused in one line', async () => {
    await writeFile(join(folder, 'binary.yaml'), Buffer.from([0x61, 0xff, 0xfe]))
    await expect(load('missing.yaml')).rejects.toThrow("missing.yaml can't be read: there is no such file")
    await expect(load('.')).rejects.toThrow(". can't be read: it is a folder")
    await expect(load('binary.yaml')).rejects.toThrow("binary.yaml can't be read: it is not text in UTF-8")
  })

  it('shows its faults without the control characters in them', async () => {
    await writeFile(join(folder, 'evil.yaml'), '"a\\e[2Jb": 1\n"c\\u202Ed": 2\n')
    const error: unknown = await load('evil.yaml').catch((reason: unknown) => reason)
    const message = error instanceof Error ? error.message : ''
    expect(message.split('\n')).toHaveLength(2)
    expect(message).not.toMatch(/[\p{Cf}]|[^\P{Cc}\n]/u)
  })
})
