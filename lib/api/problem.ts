import { config } from '#lib/platform/config.ts'
import { type Finding, formatPath } from '#lib/provisioning/fault.ts'
import { type ProblemKind, problemKinds } from './problem-kinds.ts'

type Extensions = Readonly<Record<string, unknown>>

/** What an operation answers in place of its result. Nothing has changed. */
export class ApiProblem extends Error {
  override name = 'ApiProblem'
  readonly kind: ProblemKind
  readonly extensions: Extensions
  readonly headers: Readonly<Record<string, string>>

  constructor(
    kind: ProblemKind,
    extensions: Extensions = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(problemKinds[kind].title)
    this.kind = kind
    this.extensions = extensions
    this.headers = headers
  }
}

/** Where a kind of problem is described: its `type`. */
export function problemType(kind: ProblemKind): string {
  return `${config().providerUrl}/api/v1/problems/${kind}`
}

/** Findings as the member `errors` of a problem. */
export function errorsOf(findings: readonly Finding[]): { path: string; reason: string }[] {
  return findings.map(({ path, reason }) => ({ path: formatPath(path), reason }))
}

/** A problem as it is answered (RFC 9457 §3). */
export function buildProblem({ kind, extensions, headers }: ApiProblem): Response {
  const { status, title } = problemKinds[kind]
  return new Response(JSON.stringify({ type: problemType(kind), title, status, ...extensions }), {
    status,
    headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', ...headers },
  })
}
