export const dynamic = 'force-dynamic'

/** The process answers. Whether it can do its work, `/readyz` says. */
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } })
}
