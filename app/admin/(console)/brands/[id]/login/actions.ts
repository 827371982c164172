'use server'

import { may } from '#lib/access/permissions.ts'
import { countGrantsByScope } from '#lib/brands/brand-use.ts'
import type { BrandInput } from '#lib/brands/schema.ts'
import { findVisibleBrand } from '#lib/brands/visible-brand.ts'
import { testLoginKeys } from '#lib/delegation/login-keys.ts'
import {
  readLoginTest,
  type StartedTest,
  startLoginTest,
  type TestProgress,
} from '#lib/delegation/login-test.ts'
import type { InspectedJwks } from '#lib/identity/inspect-jwks.ts'
import type { Finding } from '#lib/provisioning/fault.ts'
import { requireViewer } from '../../../../viewer.ts'
import { withLogin } from '../../brand-fields.ts'
import { showCount } from '../../counted.ts'
import type { Draft } from '../../previewed-form.tsx'
import { brandAction, draftBrand } from '../../save-brand.ts'
import { texts } from '../../texts.ts'

const scopeIds = ({ delegation }: BrandInput) => (delegation?.scopes ?? []).map(({ id }) => id)

/** The scopes that would go although grants have them and nobody has confirmed it: a new id is a removal too. */
async function findUnconfirmed(
  settings: BrandInput,
  changed: BrandInput,
  data: FormData,
): Promise<Finding[]> {
  const kept = new Set(scopeIds(changed))
  const confirmed = new Set(data.getAll('removing'))
  const gone = scopeIds(settings).filter((id) => !kept.has(id) && !confirmed.has(id))
  if (gone.length === 0) return []
  const used = await countGrantsByScope(settings.id)
  return gone.flatMap((id) => {
    const grants = used.get(id)
    return grants === undefined ? [] : [{ path: [], reason: texts.login.unconfirmed(id, showCount(grants)) }]
  })
}

/** Saves login, appearance and scopes. */
export const saveLogin = brandAction(withLogin, { refuse: findUnconfirmed })

export async function draftLogin(data: FormData): Promise<Draft> {
  return draftBrand(data, withLogin)
}

/** Takes login and scopes away: PACT Identity alone is left. */
export const stopDelegation = brandAction(({ delegation: _, ...settings }) => settings, {
  message: texts.login.stopped,
  refuse: async ({ name }, _changed, data) =>
    data.get('confirmation') === name ? [] : [{ path: [], reason: texts.state.wrongName }],
})

async function mayTest(id: unknown) {
  const viewer = await requireViewer()
  return typeof id === 'string' && may(viewer, 'brands.write', id) ? viewer : undefined
}

/** Fetches the keys of the login now. Undefined: there are none, or the viewer may not ask. */
export async function checkLoginKeys(id: string): Promise<InspectedJwks | undefined> {
  const viewer = await mayTest(id)
  if (!viewer) return undefined
  const brand = await findVisibleBrand(viewer, id)
  return brand && testLoginKeys(viewer, brand.settings)
}

/** Begins a test of the login's round trip. */
export async function startTest(id: string): Promise<StartedTest | undefined> {
  const viewer = await mayTest(id)
  return viewer && startLoginTest(viewer, id)
}

/** How far a test has come. */
export async function readTest(id: string, userCode: string): Promise<TestProgress | undefined> {
  const viewer = await mayTest(id)
  return viewer && typeof userCode === 'string' ? readLoginTest(viewer, id, userCode) : undefined
}
