import type { DelegationKind } from './contract.ts'
import type { HttpConnection, RawResponse } from './http-connection.ts'
import { type Speaker, WrongAnswerError } from './speaker.ts'
import { deviceCodePrefix, POLLED_CODES, REFRESH_TOKENS, refreshTokenPrefix } from './stock.ts'
import type { TokenPool } from './token-pool.ts'

/** What all connections to one server use up together: whose stock, and how much of it is gone. */
export type Supply = { stock: string; used: number; slowed: number }

type OAuthKind = Exclude<DelegationKind, 'delegated'>

/** Sends a form as a User. */
type Post = (subject: number, fields: string) => Promise<RawResponse>

const SCOPE = 'scope=orders%3Aread'
const DEVICE_CODE = 'grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code='

function expectBody(answer: RawResponse, status: number, part: string): void {
  if (answer.status !== status || !answer.body.includes(part)) throw new WrongAnswerError(answer)
}

async function authorize(post: Post, supply: Supply): Promise<void> {
  supply.used += 1
  expectBody(await post(supply.used, SCOPE), 200, '"device_code":"')
}

async function poll(post: Post, supply: Supply): Promise<void> {
  const code = supply.used % POLLED_CODES
  supply.used += 1
  const answer = await post(code, `${DEVICE_CODE}${deviceCodePrefix(supply.stock, 'poll')}${code}`)
  if (answer.body.includes('"slow_down"')) supply.slowed += 1
  else expectBody(answer, 400, '"authorization_pending"')
}

async function issue(post: Post, supply: Supply): Promise<void> {
  const code = supply.used
  supply.used += 1
  const answer = await post(code, `${DEVICE_CODE}${deviceCodePrefix(supply.stock, 'issue')}${code}`)
  expectBody(answer, 200, '"access_token":"')
}

/** Goes round families of refresh tokens of its own: one that is sent twice would end its family. */
function buildRefresh({ stock }: Supply, connection: number) {
  const families = Array.from({ length: REFRESH_TOKENS }, (_, index) => {
    const number = connection * REFRESH_TOKENS + index
    return { subject: number, token: `${refreshTokenPrefix(stock)}${number}` }
  })
  let turn = 0
  return async (post: Post): Promise<void> => {
    turn += 1
    const family = families[turn % families.length]
    if (!family) return
    const answer = await post(family.subject, `grant_type=refresh_token&refresh_token=${family.token}`)
    const next = /"refresh_token":"([^"]+)"/.exec(answer.body)?.[1]
    if (answer.status !== 200 || next === undefined) throw new WrongAnswerError(answer)
    family.token = next
  }
}

/** Calls a Brand's authorization server (§5.3). @param index the connection's number */
export function buildOAuthSpeaker(
  kind: OAuthKind,
  tokens: TokenPool,
  supply: Supply,
  index: number,
): Speaker {
  const exchanges = { authorize, poll, issue, refresh: buildRefresh(supply, index) }
  const clientId = `client_id=${encodeURIComponent(tokens.issuer)}&`
  let current: HttpConnection | undefined
  const post: Post = async (subject, fields) => {
    if (!current) throw new Error('A speaker has no connection yet')
    const token = tokens.token(tokens.ofUser(subject))
    return current.post({ token, body: clientId + fields })
  }
  return {
    async use(connection) {
      current = connection
    },
    say: () => exchanges[kind](post, supply),
  }
}
