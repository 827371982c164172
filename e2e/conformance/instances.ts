import { EnvironmentError } from './environment.ts'

/**
 * How many processes of this project's own Provider to start, behind a round-robin where there are several.
 *
 * @throws EnvironmentError when `OWN_INSTANCES` is not 1 to 9
 */
export function readInstances(environment: Readonly<Record<string, string | undefined>>): number {
  const text = environment.OWN_INSTANCES || '1'
  if (!/^[1-9]$/.test(text)) throw new EnvironmentError('OWN_INSTANCES must be a number from 1 to 9')
  return Number(text)
}
