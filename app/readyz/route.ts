import { databaseReady } from '#lib/platform/readiness.ts'

export const dynamic = 'force-dynamic'

/** 200 when the database is reachable and its migrations are current; else 503, and which of the two is missing. */
export async function GET(): Promise<Response> {
  const database = await databaseReady()
  const ready = database.reachable && database.migrated
  return Response.json(
    { status: ready ? 'ready' : 'not ready', database },
    { status: ready ? 200 : 503, headers: { 'Cache-Control': 'no-store' } },
  )
}
