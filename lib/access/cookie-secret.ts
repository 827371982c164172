import { hkdfSync } from 'node:crypto'
import { getMasterKey } from '#lib/keys/master-key.ts'

/** The secret of the console's cookies, derived from the master key (RFC 5869). @throws MasterKeyError */
export async function cookieSecret(): Promise<string> {
  const bytes = hkdfSync('sha256', await getMasterKey(), '', 'pact-provider console cookies', 32)
  return Buffer.from(bytes).toString('base64url')
}
