import { parseArgs } from 'node:util'

/** The command line is not one that `npm start` knows. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export type ServeOptions = {
  /** The provision file to apply before serving. */
  provision?: string
  /** Whether the embedded database gets the demo's Brands. */
  demo: boolean
  /** Whether it is applied though checks of a Brand's agent fail. */
  despiteChecks: boolean
}

/** Reads the flags of `npm start`. @throws UsageError */
export function readServeOptions(args: string[]): ServeOptions {
  try {
    const { values } = parseArgs({
      args,
      options: {
        provision: { type: 'string' },
        'no-demo': { type: 'boolean' },
        'despite-checks': { type: 'boolean', default: false },
      },
    })
    const despiteChecks = values['despite-checks']
    const demo = values['no-demo'] !== true && values.provision === undefined
    const { provision } = values
    return provision === undefined ? { demo, despiteChecks } : { demo, despiteChecks, provision }
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).split('. ')[0]
    throw new UsageError(`${reason}. Usage: npm start [-- [--provision FILE] [--despite-checks] [--no-demo]]`)
  }
}
