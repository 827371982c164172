import 'server-only'
import type { AuthOptions } from 'next-auth'
import { decode, encode } from 'next-auth/jwt'
import { cookieSecret } from '#lib/access/cookie-secret.ts'
import { signInWithOidc } from '#lib/access/oidc-sign-in.ts'
import { endSessions, findSession, SESSION_TIME, startSession } from '#lib/access/sessions.ts'
import { config } from '#lib/platform/config.ts'
import { log } from '#lib/platform/log.ts'
import { readSessionId } from './session-cookie.ts'
import { requestOrigin } from './viewer.ts'

type Oidc = NonNullable<ReturnType<typeof config>['oidc']>

function openIdConnect({ issuer, clientId, clientSecret }: Oidc): AuthOptions['providers'][number] {
  return {
    id: 'oidc',
    name: 'Single sign-on',
    type: 'oauth',
    wellKnown: `${issuer}/.well-known/openid-configuration`,
    issuer,
    clientId,
    clientSecret,
    authorization: { params: { scope: 'openid email profile' } },
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    profile: ({ sub }: { sub: string }) => ({ id: sub }),
  }
}

async function endPresentSession(): Promise<void> {
  const sessionId = await readSessionId()
  const session = sessionId === undefined ? undefined : await findSession(sessionId)
  if (session) await endSessions(session.viewer.userId, { sessionId: session.sessionId })
}

/**
 * next-auth, for single sign-on alone. Its cookie names a session of the console's own, in the form in which
 * `session-cookie.ts` reads it: whichever way somebody signed in, the session is ended and listed alike.
 */
export async function authOptions(oidc: Oidc): Promise<AuthOptions> {
  // It is never taken from a request's Host header.
  process.env.NEXTAUTH_URL = `${config().providerUrl}/api/auth`
  return {
    providers: [openIdConnect(oidc)],
    secret: await cookieSecret(),
    session: { strategy: 'jwt', maxAge: SESSION_TIME },
    jwt: { encode, decode, maxAge: SESSION_TIME },
    useSecureCookies: config().providerUrl.startsWith('https:'),
    pages: { signIn: '/admin/sign-in', error: '/admin/sign-in', signOut: '/admin/sign-in' },
    callbacks: {
      async signIn({ user, profile }) {
        const { address } = await requestOrigin()
        const result = await signInWithOidc({ ...profile }, oidc.roles, address)
        if (!result.ok) return `/admin/sign-in?error=${result.reason}`
        user.id = result.userId
        return true
      },
      async jwt({ token, user }) {
        if (!user) return { sid: token.sid }
        const origin = await requestOrigin()
        return { sid: await startSession(user.id, 'oidc', { ...origin, complete: true }) }
      },
      // Who is signed in, pages read from the database: nothing of it goes to a script.
      session: async ({ session }) => ({ expires: session.expires }),
      redirect: async () => `${config().providerUrl}/admin`,
    },
    events: { signOut: endPresentSession },
    logger: {
      error: (code) => log().warn({ code }, 'single sign-on failed'),
      warn: () => undefined,
      debug: () => undefined,
    },
  }
}
