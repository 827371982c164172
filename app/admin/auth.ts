import 'server-only'
import { decodeJwt } from 'jose'
import type { AuthOptions } from 'next-auth'
import { decode, encode } from 'next-auth/jwt'
import { cookieSecret } from '#lib/access/cookie-secret.ts'
import { mergeClaims } from '#lib/access/oidc-claims.ts'
import { signInWithOidc } from '#lib/access/oidc-sign-in.ts'
import { SESSION_TIME, startSession } from '#lib/access/sessions.ts'
import { config } from '#lib/platform/config.ts'
import { log } from '#lib/platform/log.ts'
import { endPresentSession } from './present-session.ts'
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
    userinfo: {
      // The ID token was checked by now; some providers put groups or the address into UserInfo alone.
      async request({ client, tokens }) {
        const claims = decodeJwt(tokens.id_token ?? '')
        const hasInfo = client.issuer.metadata.userinfo_endpoint !== undefined
        const info = hasInfo && tokens.access_token ? await client.userinfo(tokens.access_token) : undefined
        return mergeClaims(claims, info)
      },
    },
    checks: ['pkce', 'state', 'nonce'],
    profile: ({ sub }: { sub: string }) => ({ id: sub }),
  }
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
        const started = await startSession(user.id, 'oidc', origin)
        if (!started) return {}
        await endPresentSession()
        return { sid: started.sessionId }
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
