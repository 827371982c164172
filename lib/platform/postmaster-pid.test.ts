import { spawn } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findPostmaster, judgePidFile, readPidFile } from './postmaster-pid.ts'

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
    expect(await judgePidFile(folder)).toEqual({ kind: 'misleading' })
    await rm(folder, { recursive: true })
  })

  it('that is empty is being written, and is not the same as none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postmaster-'))
    expect(await judgePidFile(folder)).toEqual({ kind: 'none' })
    await writeFile(join(folder, 'postmaster.pid'), '')
    expect(await judgePidFile(folder)).toMatchObject({ kind: 'empty' })
    await rm(folder, { recursive: true })
  })

  it('stands for a living server through every spelling of its folder, and for none of another folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postmaster-'))
    const other = await mkdtemp(join(tmpdir(), 'postmaster-'))
    const program = ['-e', 'setTimeout(() => {}, 60000)', '--', '-D', folder]
    const server = spawn(process.execPath, program, { argv0: 'postgres' })
    await new Promise((resolve) => server.once('spawn', resolve))
    for (const path of [folder, other])
      await writeFile(join(path, 'postmaster.pid'), `${server.pid}\n${folder}\n0\n5432\n`)
    await symlink(folder, `${folder}-link`)
    expect(await findPostmaster(folder)).toEqual({ pid: server.pid, port: 5432 })
    expect(await findPostmaster(`${folder}-link`)).toEqual({ pid: server.pid, port: 5432 })
    expect(await judgePidFile(other)).toMatchObject({ kind: 'other' })
    server.kill()
    for (const path of [folder, other, `${folder}-link`]) await rm(path, { recursive: true })
  })
})
