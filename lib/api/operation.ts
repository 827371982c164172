import type { z } from 'zod'
import type { TokenCaller } from '#lib/access/find-api-token.ts'
import type { Permission } from '#lib/access/permissions.ts'

/** The parts of the API, in the order in which they are shown. */
export const tags = [
  'Overview',
  'Provider',
  'Personal agents',
  'Brands',
  'Agents',
  'Signing keys',
  'Usage',
  'Conversations',
  'Grants',
  'Receipts',
  'Refused requests',
  'Audit log',
  'Members',
  'API tokens',
] as const

export type Method = 'GET' | 'POST' | 'PUT'

/**
 * What an operation answers. `version`: of the thing, for `ETag`: when it was changed last, or its number; `location`: of
 * what was made, below `/api/v1`.
 */
export type Reply<Body> = { body: Body; version?: Date | number; location?: string }

type Facts = {
  /** The `operationId`: a verb and what it is done to. */
  id: string
  method: Method
  /** Below `/api/v1`, with `{names}`. */
  path: `/${string}`
  tag: (typeof tags)[number]
  summary: string
  description?: string
  /** What the token must allow, and its owner may. */
  permission: Permission
  /**
   * Where they must have it: at the Provider; at the Brand that the path names; or somewhere, and then the operation itself
   * looks at the Brand of what it concerns.
   */
  at: 'provider' | 'brand' | 'anywhere'
}

type Given<P, Q, B> = {
  params: P
  query: Q
  body: B
  /** The version that `If-Match` names, of an operation with `ifMatch`: milliseconds since 1970, or a number. */
  version: number
  caller: TokenCaller
}

type NoObject = z.ZodObject<Record<never, never>>

type Definition<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodType,
  A extends z.ZodType,
> = Facts & {
  params?: P
  query?: Q
  body?: B
  /** A body that the operation takes, in whole. */
  example?: z.input<B>
  answer: A
  /** 201: it makes something. */
  status?: 200 | 201
  /** It replaces what somebody has read: `If-Match` is required. */
  ifMatch?: true
  /** A POST that changes nothing: there is nothing to repeat by mistake. */
  harmless?: true
  run(given: Given<z.output<P>, z.output<Q>, z.output<B>>): Promise<Reply<z.input<A>>>
}

type FileDefinition<P extends z.ZodObject, Q extends z.ZodObject> = Facts & {
  params?: P
  query?: Q
  /** Media types of the file. */
  files: readonly string[]
  run(given: Given<z.output<P>, z.output<Q>, unknown>): Promise<Response>
}

/** An operation, whatever it takes and answers: routing, checks, the document and the tests are made of it. */
export type Operation = Facts & {
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  example?: unknown
  answer?: z.ZodType
  files?: readonly string[]
  status?: 200 | 201
  ifMatch?: true
  harmless?: true
  run(given: Given<unknown, unknown, unknown>): Promise<Reply<unknown> | Response>
}

/** Describes an operation. What `run` gets and answers follows from its schemas. */
export function operation<
  A extends z.ZodType,
  P extends z.ZodObject = NoObject,
  Q extends z.ZodObject = NoObject,
  B extends z.ZodType = z.ZodUnknown,
>(definition: Definition<P, Q, B, A>): Operation {
  return definition as unknown as Operation
}

/** Describes an operation that answers with a file. */
export function fileOperation<P extends z.ZodObject = NoObject, Q extends z.ZodObject = NoObject>(
  definition: FileDefinition<P, Q>,
): Operation {
  return definition as unknown as Operation
}
