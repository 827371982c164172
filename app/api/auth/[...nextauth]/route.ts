import type { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { config } from '#lib/platform/config.ts'
import { authOptions } from '../../../admin/auth.ts'

export const dynamic = 'force-dynamic'

type Context = { params: Promise<{ nextauth: string[] }> }

/** Single sign-on's own addresses; without an OpenID Connect provider there are none. */
async function handle(request: NextRequest, context: Context): Promise<Response> {
  const { oidc } = config()
  if (!oidc) return new Response(null, { status: 404 })
  return NextAuth(request, context, await authOptions(oidc))
}

export { handle as GET, handle as POST }
