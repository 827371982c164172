import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findPostmaster, readPidFile } from './postmaster-pid.ts'

describe('postmaster.pid', () => {
  it('names the process and its port', () => {
    const text = '4711\n/data/postgres\n1790000000\n54321\n\n127.0.0.1\n  5 0\nready   \n'
    expect(readPidFile(text)).toEqual({ pid: 4711, port: 54_321 })
  })

  it('has no port before PostgreSQL listens', () => {
    expect(readPidFile('4711\n/data/postgres\n1790000000\n')).toEqual({ pid: 4711 })
  })

  it('is nothing when it is empty or something else', () => {
    for (const text of ['', '\n', 'x\n', '-1\n', '0\n']) expect(readPidFile(text)).toBeUndefined()
  })

  it('left by a crash does not stand for a process that has got its number since', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postmaster-'))
    await writeFile(join(folder, 'postmaster.pid'), `${process.pid}\n${folder}\n0\n5432\n`)
    expect(await findPostmaster(folder)).toBeUndefined()
    await rm(folder, { recursive: true })
  })
})
