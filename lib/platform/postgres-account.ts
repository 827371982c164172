import { type StdioPipe, spawn } from 'node:child_process'
import { chown, readFile, stat } from 'node:fs/promises'

const PIPED: ['ignore', StdioPipe, StdioPipe] = ['ignore', 'pipe', 'pipe']

/** Overrides file permissions: PostgreSQL may then use folders below one that its account can't enter. */
const DAC_OVERRIDE = '+dac_override'

/** The account that PostgreSQL runs under. It refuses to run as root. */
export type PostgresAccount = {
  /** Undefined: this process's own account. */
  owner?: { uid: number; gid: number }
  /** Keeps the right to pass through folders that the account itself can't enter. */
  passes: boolean
}

/** PostgreSQL can't be run here. The message says why and what to do. */
export class PostgresLaunchError extends Error {
  override name = 'PostgresLaunchError'
}

/** The ids of the first of `names` in a file in the form of /etc/passwd. */
export function findOwner(
  passwd: string,
  names: readonly string[],
): { uid: number; gid: number } | undefined {
  const lines = passwd.split('\n').map((line) => line.split(':'))
  for (const name of names) {
    const line = lines.find((fields) => fields[0] === name)
    const uid = Number(line?.[2])
    const gid = Number(line?.[3])
    if (uid > 0 && Number.isInteger(gid)) return { uid, gid }
  }
  return undefined
}

/** The environment of PostgreSQL's programs: plain messages, and none of the caller's `PG…` settings. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const { NODE_ENV, PATH = '/usr/bin:/bin' } = process.env
  return { NODE_ENV, PATH, LC_ALL: 'C' }
}

/** The command line and options that run `file` under `account`, in a folder that every account can enter. */
function asAccount(account: PostgresAccount, file: string, args: readonly string[]) {
  const { owner, passes } = account
  const options = { cwd: '/', env: cleanEnvironment() }
  if (!owner) return { file, args: [...args], options }
  if (!passes) return { file, args: [...args], options: { ...options, uid: owner.uid, gid: owner.gid } }
  const prefix = [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups']
  // PostgreSQL asks the kernel about its files by its real user (access(2)), which forgets capabilities without this bit.
  prefix.push('--securebits=+no_setuid_fixup')
  prefix.push(`--inh-caps=${DAC_OVERRIDE}`, `--ambient-caps=${DAC_OVERRIDE}`)
  return { file: 'setpriv', args: [...prefix, file, ...args], options }
}

/**
 * Runs one of PostgreSQL's programs to its end.
 *
 * @param timeout in milliseconds
 * @returns its exit code and its output, both streams
 */
export function runAs(
  account: PostgresAccount,
  file: string,
  args: readonly string[],
  timeout = 120_000,
): Promise<{ code: number; output: string }> {
  const command = asAccount(account, file, args)
  return new Promise((resolve) => {
    // In a session of its own: Ctrl-C in the terminal must not end a program that starts or stops PostgreSQL.
    const child = spawn(command.file, command.args, {
      ...command.options,
      timeout,
      detached: true,
      stdio: PIPED,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    child.once('error', (error) => resolve({ code: 1, output: error.message }))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

async function canUse(account: PostgresAccount, program: string, folder: string): Promise<boolean> {
  const { code } = await runAs(
    account,
    '/bin/sh',
    ['-c', '"$1" --version && test -w "$2"', 'sh', program, folder],
    10_000,
  )
  return code === 0
}

async function findRootSubstitute(folder: string) {
  const { uid, gid } = await stat(folder)
  if (uid !== 0) return { uid, gid }
  return findOwner(await readFile('/etc/passwd', 'utf8'), ['postgres', 'nobody'])
}

/**
 * Finds the account to run PostgreSQL under, and gives it `folder` when this process is root: the account that owns the
 * folder already, else `postgres`, else `nobody`.
 *
 * @param program one of PostgreSQL's programs, by its absolute path
 * @param folder an existing folder that PostgreSQL is to write to
 * @throws PostgresLaunchError when no account can reach both
 */
export async function findAccount(program: string, folder: string): Promise<PostgresAccount> {
  if (process.getuid?.() !== 0) return { passes: false }
  const owner = await findRootSubstitute(folder)
  if (!owner)
    throw new PostgresLaunchError(
      'PostgreSQL does not run as root: add a user named postgres (useradd postgres), or set DATABASE_URL',
    )
  await chown(folder, owner.uid, owner.gid)
  const plain = { owner, passes: false }
  if (await canUse(plain, program, folder)) return plain
  const passing = { owner, passes: true }
  if (await canUse(passing, program, folder)) return passing
  throw new PostgresLaunchError(
    `PostgreSQL does not run as root, and user ${owner.uid} can't enter ${folder} and ${program}: ` +
      'run as another user, put the project where every user may enter, or set DATABASE_URL',
  )
}
