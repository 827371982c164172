import { runDemo } from './demo.ts'
import { openKeyboard } from './keyboard.ts'
import { readOptions, USAGE } from './options.ts'
import { openTerminal } from './terminal.ts'

const terminal = openTerminal((line) => process.stdout.write(`${line}\n`))

async function main(): Promise<boolean> {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options.help) {
    process.stdout.write(`${USAGE}\n`)
    return true
  }
  if (options.say.length > 0) return runDemo(options, terminal, async () => undefined)
  const keyboard = openKeyboard(process.stdin, process.stdout, () => process.exit(130))
  try {
    const worked = await runDemo(options, terminal, keyboard.ask)
    // A person at a terminal saw what went wrong; a script can only see the exit code.
    return worked || process.stdin.isTTY
  } finally {
    keyboard.close()
  }
}

try {
  process.exitCode = (await main()) ? 0 : 1
} catch (problem) {
  terminal.problem(problem)
  process.exitCode = 1
}
