import { pino } from 'pino'
import { config } from './config.ts'
import { processState } from './process-state.ts'

/**
 * The process's structured log. Nothing secret or personal goes in: no token, no message text, no `sub`. Requests don't wait
 * until a line is written; those of one moment leave together, and the last ones when the process ends.
 */
export function log() {
  return processState('log', () =>
    pino({ level: config().logLevel, base: null }, pino.destination({ sync: false })),
  )
}
