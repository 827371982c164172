import { createInterface } from 'node:readline/promises'
import type { Ask } from './choose-brand.ts'

/** Reads lines from the person. Lines that arrive before they are asked for wait, as when they are piped in. */
export function openKeyboard(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
): { ask: Ask; close(): void } {
  const readline = createInterface({ input, output })
  const lines = readline[Symbol.asyncIterator]()
  readline.on('SIGINT', () => readline.close())
  return {
    async ask(prompt) {
      if (input.isTTY) {
        readline.setPrompt(prompt)
        readline.prompt()
      }
      const next = await lines.next()
      if (next.done) {
        output.write('\n')
        return undefined
      }
      // What is typed at a terminal is seen already.
      if (!input.isTTY) output.write(`${prompt}${next.value}\n`)
      return next.value
    },
    close() {
      readline.close()
    },
  }
}
