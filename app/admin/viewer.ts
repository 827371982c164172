import 'server-only'
import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import type { Actor } from '#lib/access/audit.ts'
import { ForbiddenError, may, mayAnywhere, type Permission, type Viewer } from '#lib/access/permissions.ts'
import { type ConsoleSignIn, findSession, type Origin } from '#lib/access/sessions.ts'
import { clientAddressOf } from '#lib/platform/client-address.ts'
import { readSessionId } from './session-cookie.ts'

/** This request's session, whatever is still owed; undefined without one. Read once a request. */
export const findSignIn = cache(async (): Promise<ConsoleSignIn | undefined> => {
  const sessionId = await readSessionId()
  return sessionId === undefined ? undefined : findSession(sessionId)
})

/** Where this request comes from. */
export async function requestOrigin(): Promise<Origin> {
  const list = await headers()
  return {
    address: clientAddressOf(list),
    userAgent: list.get('user-agent') ?? undefined,
  }
}

/** Whoever is signed in completely. Others are led to what they still owe: first of all every page and action calls this. */
export async function requireViewer(): Promise<Viewer> {
  const signIn = await findSignIn()
  if (!signIn) redirect('/admin/sign-in')
  if (!signIn.complete) redirect('/admin/sign-in/second-factor')
  if (signIn.mustChangePassword) redirect('/admin/sign-in/new-password')
  if (signIn.mustSetUpSecondFactor) redirect('/admin/sign-in/second-factor/set-up')
  return signIn.viewer
}

/**
 * Whoever is signed in, for what concerns their own account alone: they may still have to set up a second factor.
 */
export async function requireOwnSignIn(): Promise<ConsoleSignIn> {
  const signIn = await findSignIn()
  if (!signIn) redirect('/admin/sign-in')
  if (!signIn.complete) redirect('/admin/sign-in/second-factor')
  if (signIn.mustChangePassword) redirect('/admin/sign-in/new-password')
  return signIn
}

/**
 * The viewer of a page that needs a permission, at a Brand or (without one) anywhere. For others the page does not exist.
 */
export async function requirePermission(permission: Permission, brandId?: string): Promise<Viewer> {
  const viewer = await requireViewer()
  const allowed = brandId === undefined ? mayAnywhere(viewer, permission) : may(viewer, permission, brandId)
  if (!allowed) notFound()
  return viewer
}

/** Renders what only its viewer may see: where lib refuses, the page does not exist. */
export async function orNotFound<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ForbiddenError) notFound()
    throw error
  }
}

/** The viewer as the audit log names them. */
export async function actorOf({ userId, email }: Viewer): Promise<Actor> {
  const { address } = await requestOrigin()
  return { kind: 'user', id: userId, name: email, ...(address ? { address } : {}) }
}
