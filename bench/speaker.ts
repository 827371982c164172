import type { HttpConnection } from './http-connection.ts'

/** What is said on one connection, never two requests at a time. */
export type Speaker = {
  /** Goes on over another connection. */
  use(connection: HttpConnection): Promise<void>
  /** Sends one request and checks the answer. @throws WrongAnswerError */
  say(): Promise<void>
}

/** The answer is not the one that every request of the bench must get. */
export class WrongAnswerError extends Error {
  override name = 'WrongAnswerError'

  constructor({ status, body }: { status: number; body: string }) {
    super(`A request was answered with ${status} ${body.slice(0, 500)}`)
  }
}
