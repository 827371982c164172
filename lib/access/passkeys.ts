import { isIP } from 'node:net'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { config } from '#lib/platform/config.ts'
import { prisma } from '#lib/platform/database.ts'
import { type Actor, appendAudit } from './audit.ts'
import { completeSession } from './complete-session.ts'
import { codesForFirstFactor } from './second-factors.ts'

/** The most that one user may have. */
const MOST = 20

/** Whose session asks, in which browser. */
export type OwnSession = { userId: string; sessionId: string }

function relyingParty() {
  const { hostname, origin } = new URL(config().providerUrl)
  return { expectedRPID: hostname, expectedOrigin: origin }
}

/** WebAuthn §5.1.2: a relying party is known by its domain. At a bare address there are no passkeys. */
export function hasPasskeys(): boolean {
  return isIP(relyingParty().expectedRPID.replace(/^\[|\]$/g, '')) === 0
}

/** Each challenge belongs to one session, and the next one takes its place. */
async function keepChallenge({ sessionId, userId }: OwnSession, challenge: string): Promise<void> {
  await prisma().consoleSession.updateMany({
    where: { id: sessionId, userId, endedAt: null },
    data: { challenge },
  })
}

/** Used up by the answer, right or wrong. */
async function takeChallenge({ sessionId, userId }: OwnSession): Promise<string | undefined> {
  const where = { id: sessionId, userId, endedAt: null }
  const session = await prisma().consoleSession.findFirst({ where })
  if (!session?.challenge) return undefined
  const { challenge } = session
  const { count } = await prisma().consoleSession.updateMany({
    where: { ...where, challenge },
    data: { challenge: null },
  })
  return count === 1 ? challenge : undefined
}

function listOf(userId: string) {
  return prisma().passkey.findMany({ where: { userId }, select: { id: true, transports: true } })
}

/** What a browser needs to make a passkey; undefined when the user has enough. */
export async function offerPasskey(
  session: OwnSession,
  { organization, email }: { organization: string; email: string },
): Promise<PublicKeyCredentialCreationOptionsJSON | undefined> {
  const known = await listOf(session.userId)
  if (known.length >= MOST) return undefined
  const options = await generateRegistrationOptions({
    rpName: organization,
    rpID: relyingParty().expectedRPID,
    userName: email,
    userID: new Uint8Array(Buffer.from(session.userId)),
    attestationType: 'none',
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  })
  await keepChallenge(session, options.challenge)
  return options
}

/**
 * Stores the passkey that a browser made.
 *
 * @returns the new recovery codes, none where the user has some; undefined when the answer does not verify
 */
export async function addPasskey(
  session: OwnSession,
  { name, response }: { name: string; response: RegistrationResponseJSON },
  actor: Actor,
): Promise<string[] | undefined> {
  const expectedChallenge = await takeChallenge(session)
  if (!expectedChallenge) return undefined
  const expected = { ...relyingParty(), expectedChallenge, requireUserVerification: false }
  const result = await verifyRegistrationResponse({ ...expected, response }).catch(() => undefined)
  if (!result?.verified) return undefined
  const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential
  return prisma().$transaction(async (transaction) => {
    await transaction.passkey.create({
      data: { id, userId: session.userId, name, publicKey, counter, transports },
    })
    const codes = await codesForFirstFactor(transaction, session.userId)
    const entry = { actor, action: 'user.add-passkey' as const, subject: actor.name, after: { name } }
    await appendAudit(transaction, [entry])
    return codes
  })
}

/** What a browser needs to use a passkey as the second factor; undefined when the user has none. */
export async function askForPasskey(
  session: OwnSession,
): Promise<PublicKeyCredentialRequestOptionsJSON | undefined> {
  const known = await listOf(session.userId)
  if (known.length === 0) return undefined
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().expectedRPID,
    allowCredentials: known,
    userVerification: 'preferred',
  })
  await keepChallenge(session, options.challenge)
  return options
}

async function verify(session: OwnSession, response: AuthenticationResponseJSON) {
  const expectedChallenge = await takeChallenge(session)
  const passkey = await prisma().passkey.findFirst({ where: { id: response.id, userId: session.userId } })
  if (!expectedChallenge || !passkey) return undefined
  const { id, publicKey } = passkey
  const credential = { id, publicKey, counter: Number(passkey.counter) }
  const expected = { ...relyingParty(), expectedChallenge, credential, requireUserVerification: false }
  const result = await verifyAuthenticationResponse({ ...expected, response }).catch(() => undefined)
  if (!result?.verified) return undefined
  return { passkey, newCounter: result.authenticationInfo.newCounter }
}

/** Completes a session with a passkey. @returns the session's new id; undefined when the answer does not verify */
export async function completeWithPasskey(
  session: OwnSession,
  response: AuthenticationResponseJSON,
  actor: Actor,
): Promise<string | undefined> {
  const used = await verify(session, response)
  return prisma().$transaction(async (transaction) => {
    const seen = used && { id: used.passkey.id, counter: used.passkey.counter }
    const update = { counter: used?.newCounter ?? 0, lastUsedAt: new Date() }
    const { count } = seen
      ? await transaction.passkey.updateMany({ where: seen, data: update })
      : { count: 0 }
    const opened = count === 1 ? await completeSession(transaction, session.sessionId, 'passkey') : undefined
    const after = opened ? { after: { secondFactor: 'passkey' } } : {}
    const action = opened ? 'session.complete' : 'session.refuse-second-factor'
    await appendAudit(transaction, [{ actor, action, subject: actor.name, ...after }])
    return opened
  })
}
