import { importJWK, SignJWT } from 'jose'
import type { Cast } from './contract.ts'

/** §3.2 allows 300 s. */
const LIFETIME = 300
/** Milliseconds after which new tokens are signed beside the load. */
const RENEW_AFTER = 200_000

async function sign(cast: Cast): Promise<string[]> {
  const key = await importJWK(cast.privateJwk, 'ES256')
  const iat = Math.floor(Date.now() / 1000)
  const tokens: string[] = []
  for (let index = 0; index < cast.tokens; index += 1) {
    const sub = `user-${index % cast.subjects}`
    const claims = { iss: cast.issuer, sub, aud: cast.audience, iat, exp: iat + LIFETIME, jti: String(index) }
    const jwt = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: String(cast.privateJwk.kid) })
    tokens.push(await jwt.sign(key))
  }
  return tokens
}

/** Personal-agent JWTs (§3.2), signed before they are needed: signing would take time from what is measured. */
export class TokenPool {
  readonly #cast: Cast
  #tokens: string[]
  #signedAt = Date.now()
  #renewing = false
  #next = 0
  #round = 0

  constructor(cast: Cast, tokens: string[]) {
    this.#cast = cast
    this.#tokens = tokens
  }

  static async create(cast: Cast): Promise<TokenPool> {
    return new TokenPool(cast, await sign(cast))
  }

  /** The next token, whoever's it is, by its number. */
  next(): number {
    this.#next = (this.#next + 1) % this.#tokens.length
    return this.#next
  }

  /** The personal agent's issuer, also its `client_id` (§5). */
  get issuer(): string {
    return this.#cast.issuer
  }

  /** A token of a User, now this and now that; Users are counted on and on, round and round. */
  ofUser(user: number): number {
    const { subjects, tokens } = this.#cast
    this.#round = (this.#round + 1) % Math.floor(tokens / subjects)
    return this.#round * subjects + (user % subjects)
  }

  /** The delegation token (§5.4) of the User whose token this is. */
  delegation(index: number): string | undefined {
    return this.#cast.delegationTokens[index % this.#cast.subjects]
  }

  /** Another token of the same User, if the pool has one. */
  sameUser(index: number): number {
    return (index + this.#cast.subjects) % this.#tokens.length
  }

  token(index: number): string {
    if (Date.now() - this.#signedAt > RENEW_AFTER) void this.renew()
    return this.#tokens[index] ?? ''
  }

  /** Signs anew; until all are signed, the old ones serve. */
  async renew(): Promise<void> {
    if (this.#renewing) return
    this.#renewing = true
    const signedAt = Date.now()
    this.#tokens = await sign(this.#cast)
    this.#signedAt = signedAt
    this.#renewing = false
  }

  /** Makes sure that the tokens live for the next measurement, so that it is not disturbed. @param seconds its length */
  async freshen(seconds: number): Promise<void> {
    if (Date.now() - this.#signedAt + seconds * 1000 > RENEW_AFTER) await this.renew()
  }
}
