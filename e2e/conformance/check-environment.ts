import { EnvironmentError, readTarget, type Target } from './environment.ts'
import { readOwnEnvironment } from './own-environment.ts'
import { cardUrl, findInterface } from './provider.ts'
import { tokenSigner } from './tokens.ts'
import { type Answer, send } from './wire.ts'

/** Why a fetch failed, in a word or a few: its own message says no more than that it did. */
function causeOf(failure: unknown): string {
  const cause = failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}

async function readCard({ providerUrl }: Target, name: string, brandId: string): Promise<Answer> {
  const url = cardUrl(providerUrl, brandId)
  const answer = await send({ url }).catch((failure: unknown) => {
    throw new EnvironmentError(`PROVIDER_URL: no answer from ${url} (${causeOf(failure)})`)
  })
  if (answer.status !== 404) return answer
  throw new EnvironmentError(`${name}: the Provider has no card for it (404 at ${url})`)
}

/**
 * Tries the variables on the Provider: without its cards, or with tokens that it does not know, every test would fail.
 *
 * @throws EnvironmentError naming what is wrong
 */
async function tryTarget(target: Target): Promise<void> {
  const card = await readCard(target, 'BRAND_ID', target.brandId)
  await readCard(target, 'OTHER_BRAND_ID', target.otherBrandId)
  const interfaceUrl = findInterface(card.json)?.url
  if (typeof interfaceUrl !== 'string') return
  const agents = [
    { names: 'PA_ISSUER, PA_AUDIENCE or PA_PRIVATE_JWK', agent: target.personalAgent },
    { names: 'PA2_ISSUER or PA2_PRIVATE_JWK', agent: target.otherPersonalAgent },
  ]
  for (const { names, agent } of agents) {
    if (!agent) continue
    const signer = tokenSigner(agent, target.audience, () => Math.floor(Date.now() / 1000))
    const answer = await send({ url: `${interfaceUrl}/tasks`, token: await signer.sign() })
    if (answer.status === 401) {
      throw new EnvironmentError(`${names} is wrong: the Provider refuses a token made with them (401)`)
    }
  }
}

try {
  const target = readTarget(process.env)
  if (target) await tryTarget(target)
  else readOwnEnvironment(process.env)
} catch (failure) {
  if (!(failure instanceof EnvironmentError)) throw failure
  console.error(failure.message)
  process.exitCode = 1
}
