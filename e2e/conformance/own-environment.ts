import { EnvironmentError } from './environment.ts'

const drivers = ['scripted', 'llm', 'webhook'] as const

/** How this project's own Provider is to be tested. */
export type OwnEnvironment = {
  /** How many processes of it to start, behind a round-robin where there are several. */
  instances: number
  /** What the first Brand's agent is. */
  driver: (typeof drivers)[number]
}

/**
 * Reads how to test this project's own Provider.
 *
 * @throws EnvironmentError when `OWN_INSTANCES` is not 1 to 9, or `OWN_DRIVER` is no driver
 */
export function readOwnEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): OwnEnvironment {
  const text = environment.OWN_INSTANCES || '1'
  if (!/^[1-9]$/.test(text)) throw new EnvironmentError('OWN_INSTANCES must be a number from 1 to 9')
  const driver = drivers.find((each) => each === (environment.OWN_DRIVER || 'scripted'))
  if (!driver) throw new EnvironmentError(`OWN_DRIVER must be one of ${drivers.join(', ')}`)
  return { instances: Number(text), driver }
}
