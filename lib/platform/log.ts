import { pino } from 'pino'
import { config } from './config.ts'
import { processState } from './process-state.ts'

/** The process's structured log. Nothing secret or personal goes in: no token, no message text, no `sub`. */
export function log() {
  return processState('log', () => pino({ level: config().logLevel, base: null }))
}
