import { createInterface } from 'node:readline/promises'
import type { Ask } from './choose-brand.ts'

export type Keyboard = { ask: Ask; close(): void }

/**
 * Reads lines from the person. Lines that arrive before they are asked for wait, as when they are piped in.
 *
 * @param leave called when the person presses Ctrl-C while nothing is asked of them: they wait no longer
 */
export function openKeyboard(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  leave: () => void,
): Keyboard {
  const readline = createInterface({ input, output })
  const lines = readline[Symbol.asyncIterator]()
  let isAsking = false
  let isOpen = true
  readline.once('close', () => {
    isOpen = false
  })
  readline.on('SIGINT', () => {
    if (isAsking) readline.close()
    else leave()
  })

  async function readLine(prompt: string): Promise<string | undefined> {
    if (isOpen && input.isTTY) {
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
  }

  return {
    async ask(prompt) {
      isAsking = true
      try {
        return await readLine(prompt)
      } finally {
        isAsking = false
      }
    },
    close() {
      readline.close()
    },
  }
}
