import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import type { Brand } from '#lib/brands/brand.ts'
import { type InspectedJwks, inspectJwks } from '#lib/identity/inspect-jwks.ts'
import { findHeldKeys, type JwksFault, type KeySource } from '#lib/identity/jwks.ts'
import { type BatchedCounts, batchedCounts } from '#lib/platform/batched-counts.ts'
import { now } from '#lib/platform/clock.ts'
import { pool } from '#lib/platform/database.ts'

/** What is wrong with the keys of a Brand's login; `no_usable_key`: the JWKS is one, and none of its keys works. */
export type LoginKeysFault = JwksFault | 'no_usable_key'

/** What a look at a Brand's login keys found. `fault` null: they work. `at`: in ms since 1970. */
type Look = { brandId: string; jwksUri: string; fault: LoginKeysFault | null; at: number }

function looks(): BatchedCounts<Look> {
  return batchedCounts<Look>('looks at login keys', store, note)
}

function note(look: Look): void {
  looks().add(look.brandId, look, (known) => {
    if (look.at >= known.at) Object.assign(known, look)
  })
}

// Sorted, so that two processes take the rows' locks in the same order.
const storeStatement = `
  INSERT INTO "LoginKeysLook" ("brandId", "jwksUri", "fault", "at")
  SELECT "brandId", "jwksUri", "fault", to_timestamp("at" / 1000)
  FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[]) AS look ("brandId", "jwksUri", "fault", "at")
  ORDER BY "brandId"
  ON CONFLICT ("brandId") DO UPDATE
  SET "jwksUri" = EXCLUDED."jwksUri", "fault" = EXCLUDED."fault", "at" = EXCLUDED."at"
  WHERE EXCLUDED."at" >= "LoginKeysLook"."at"`

async function store(found: Look[]): Promise<void> {
  await pool().query(storeStatement, [
    found.map(({ brandId }) => brandId),
    found.map(({ jwksUri }) => jwksUri),
    found.map(({ fault }) => fault),
    found.map(({ at }) => at),
  ])
}

/** The keys under which a Brand's login is verified. */
export function loginKeySource({ id, jwksUri }: { id: string; jwksUri: string }): KeySource {
  return { id: `login of ${id}`, jwksUri }
}

/**
 * Notes how the last fetch of a Brand's login keys ended, for the console. In memory at first: whoever logs in waits for
 * nothing.
 */
export function noteHeldLoginKeys(brand: { id: string; jwksUri: string }): void {
  const held = findHeldKeys(loginKeySource(brand))
  if (!held) return
  const fault = held.fault ?? (held.kids.length > 0 ? null : 'no_usable_key')
  note({ brandId: brand.id, jwksUri: brand.jwksUri, fault, at: now() })
}

function faultOf(found: InspectedJwks): LoginKeysFault | null {
  if (!found.ok) return found.fault
  return found.keys.some(({ fault }) => fault === undefined) ? null : 'no_usable_key'
}

/**
 * Fetches the keys of a Brand's login now, looks at each, and stores whether they work. Undefined: it has no login. The
 * database is not held while the Brand is waited for.
 *
 * @throws ForbiddenError
 */
export async function testLoginKeys(
  viewer: Viewer,
  { id, delegation }: Pick<Brand, 'id'> & { delegation?: { login: { jwksUri: string } } | undefined },
): Promise<InspectedJwks | undefined> {
  assertMay(viewer, 'brands.write', id)
  if (!delegation) return undefined
  const { jwksUri } = delegation.login
  const found = await inspectJwks(jwksUri)
  note({ brandId: id, jwksUri, fault: faultOf(found), at: found.at.getTime() })
  await flushLoginKeys()
  return found
}

/** Stores what has been noted: every five seconds while there is something, and at shutdown. Never rejects. */
export function flushLoginKeys(): Promise<void> {
  return looks().flush()
}
