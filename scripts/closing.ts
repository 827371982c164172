/** What was started and must be closed, last first. */
export class Closing {
  readonly #closers: (() => Promise<void>)[] = []
  #running: Promise<void> | undefined

  /** Has `close` called when all is closed, before what was added earlier. */
  add(close: () => Promise<void>): void {
    this.#closers.push(close)
  }

  /** Closes everything, whatever fails on the way. Called again, it waits for the first call. */
  run(): Promise<void> {
    this.#running ??= this.#closeAll()
    return this.#running
  }

  async #closeAll(): Promise<void> {
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) {
      try {
        await close()
      } catch (error) {
        console.error(error instanceof Error ? error.message : error)
      }
    }
  }
}
