import type { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { config } from '#lib/platform/config.ts'
import { isMap } from '#lib/platform/json-map.ts'
import { authOptions } from '../../../admin/auth.ts'

export const dynamic = 'force-dynamic'

type Context = { params: Promise<{ nextauth: string[] }> }

/** What single sign-on needs of next-auth's addresses: the others show sessions and providers, or are pages of its own. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  csrf: ['GET'],
  'signin/oidc': ['POST'],
  'callback/oidc': ['GET'],
  signout: ['POST'],
}

/** next-auth reads what it is sent as JSON or as a form, and fails at what is neither. */
async function isReadable(request: NextRequest): Promise<boolean> {
  if (request.method !== 'POST') return true
  const type = request.headers.get('content-type') ?? ''
  try {
    const copy = request.clone()
    if (type.includes('application/json')) return isMap(await copy.json())
    await copy.formData()
    return true
  } catch {
    return false
  }
}

/** Single sign-on's own addresses; without an OpenID Connect provider there are none. */
async function handle(request: NextRequest, context: Context): Promise<Response> {
  const { oidc } = config()
  const path = (await context.params).nextauth.join('/')
  const methods = Object.hasOwn(ADDRESSES, path) ? ADDRESSES[path] : undefined
  if (!oidc || !methods?.includes(request.method)) return new Response(null, { status: 404 })
  if (!(await isReadable(request))) return new Response(null, { status: 400 })
  return NextAuth(request, context, await authOptions(oidc))
}

export { handle as GET, handle as POST }
