import { ForbiddenError } from '#lib/access/permissions.ts'
import { providerSchema } from '#lib/identity/schema.ts'
import { editSettings } from '#lib/provisioning/edit-settings.ts'
import { exportProvisionFor } from '#lib/provisioning/export-provision.ts'
import { findSettings, type ShownSettings } from '#lib/provisioning/settings-page.ts'
import { named } from '../named-schemas.ts'
import { fileOperation, type Operation, operation } from '../operation.ts'

function toReply(shown: ShownSettings | undefined) {
  if (!shown) throw new ForbiddenError('no Provider is stored yet')
  return { body: shown.settings, version: shown.version }
}

export function providerOperations(): Operation[] {
  const settings = named('Provider', providerSchema)
  return [
    operation({
      id: 'getProvider',
      method: 'GET',
      path: '/provider',
      tag: 'Provider',
      summary: 'The Provider’s settings',
      permission: 'settings.read',
      at: 'provider',
      answer: settings,
      run: async ({ caller }) => toReply(await findSettings(caller.viewer)),
    }),
    operation({
      id: 'replaceProvider',
      method: 'PUT',
      path: '/provider',
      tag: 'Provider',
      summary: 'Replaces the Provider’s settings',
      description:
        'Another `audience` refuses every personal agent until its developer has changed it. `adminsNeedSecondFactor` and `retentionDays`, left out, stay as they are.',
      permission: 'settings.write',
      at: 'provider',
      body: settings,
      example: { organization: 'Example Provider', audience: 'urn:example:provider' },
      answer: settings,
      ifMatch: true,
      async run({ body, version, caller }) {
        await editSettings(caller, body, new Date(version))
        return toReply(await findSettings(caller.viewer))
      },
    }),
    fileOperation({
      id: 'exportProvision',
      method: 'GET',
      path: '/provision',
      tag: 'Provider',
      summary: 'The whole Provider as a provision file',
      description: 'YAML, which `pact apply` takes back without a change. Secrets are not in it.',
      permission: 'provision.export',
      at: 'provider',
      files: ['application/yaml'],
      run: async ({ caller }) =>
        new Response(await exportProvisionFor(caller), {
          headers: { 'Content-Type': 'application/yaml; charset=utf-8', 'Cache-Control': 'no-store' },
        }),
    }),
  ]
}
