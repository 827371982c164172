import { type ChildProcess, fork, type StdioOptions } from 'node:child_process'
import { join } from 'node:path'

/** One of the bench's own processes: it answers each message with one message. */
export type Child<Command, Answer> = {
  /** Waits for the answer. @throws when the process ends instead */
  ask(command: Command): Promise<Answer>
  /** Waits for a message that the process sends by itself. */
  next(): Promise<Answer>
  /** Sends the last command, if any, closes the channel and waits for the end. */
  end(last?: Command): Promise<void>
}

type Options = { env?: Record<string, string>; execArgv?: string[]; stdout?: number | 'inherit' }

function nextMessage<Answer>(name: string, child: ChildProcess): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const onMessage = (message: unknown) => resolve(message as Answer)
  const onExit = () => reject(new Error(`bench/${name} ended unexpectedly`))
  child.once('message', onMessage).once('exit', onExit)
  return promise.finally(() => child.off('message', onMessage).off('exit', onExit))
}

/** Starts `bench/{name}` with Node. Its standard output goes to the file descriptor `stdout`. */
export function startChild<Command extends object | string, Answer>(
  name: string,
  { env = {}, execArgv = [], stdout = 'inherit' }: Options = {},
): Child<Command, Answer> {
  const stdio: StdioOptions = ['ignore', stdout, 'inherit', 'ipc']
  const child = fork(join(import.meta.dirname, name), { env: { ...process.env, ...env }, execArgv, stdio })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    ask(command) {
      const answer = nextMessage<Answer>(name, child)
      child.send(command)
      return answer
    },
    next: () => nextMessage<Answer>(name, child),
    async end(last) {
      if (child.connected && last !== undefined) child.send(last)
      else if (child.connected) child.disconnect()
      await ended
    },
  }
}
