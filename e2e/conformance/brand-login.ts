import { spawn } from 'node:child_process'
import type { NotTested } from './requirement.ts'

/** What the program that `BRAND_LOGIN` names is to do, as JSON on its standard input. */
export type LoginTask = {
  /** The link to open (RFC 8628 §3.2). */
  verification_uri_complete: string
  decision: 'approve' | 'deny'
  /** The scopes to leave checked; of no meaning where the decision is to deny. */
  scopes: readonly string[]
  /** Which of two accounts of the Brand to sign in with. */
  user: 'first' | 'second'
}

/** The exit code of a program that can't do what it was asked for. */
const NOT_POSSIBLE = 3
const TIME_LIMIT = 120_000

/**
 * Has a User sign in and decide, by the program at `path`.
 *
 * @throws Error when the program fails; what it printed is in the message
 */
export async function decideAtBrand(path: string, task: LoginTask, notTested: NotTested): Promise<void> {
  const isScript = /\.[cm]?[jt]s$/.test(path)
  const child = spawn(isScript ? process.execPath : path, isScript ? [path] : [], {
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: TIME_LIMIT,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  // A program that needs nothing of it may end before it has read all.
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify(task))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code === NOT_POSSIBLE) notTested('BRAND_LOGIN can’t do this')
  if (code !== 0) throw new Error(`BRAND_LOGIN ended with ${code}: ${output.slice(0, 500)}`)
}
