import { Alert } from '#components/ui/alert.tsx'
import {
  type ConfigurationFault,
  configurationUrl,
  type FetchedConfiguration,
} from '#lib/identity/discover.ts'
import type { InspectedJwks } from '#lib/identity/inspect-jwks.ts'
import { showUrl } from '#lib/identity/show-url.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { JwksReport, summarize } from '../jwks-report.tsx'
import { texts } from '../texts.ts'

function describeFault(fault: ConfigurationFault): string {
  const { configurationFaults, fetchFaults } = texts
  return fault in configurationFaults
    ? configurationFaults[fault as keyof typeof configurationFaults]
    : fetchFaults[fault as keyof typeof fetchFaults]
}

type Props = { issuer: string; found: FetchedConfiguration; jwks: InspectedJwks | undefined }

/** What an issuer publishes about itself, before anything is saved. */
export function LookUpResult({ issuer, found, jwks }: Props) {
  const { newPage } = texts
  if ('fault' in found) {
    const { fault, status } = found
    return (
      <Alert kind="warning" title={describeFault(fault)}>
        {'found' in found && found.found ? (
          <p className="break-all font-mono text-xs">{makeVisible(found.found)}</p>
        ) : null}
        {fault === 'status' && status !== undefined ? <p>{texts.status(status)}</p> : null}
        <p className="break-all font-mono text-xs">
          {fault === 'issuer' ? null : showUrl(configurationUrl(issuer))}
        </p>
        <p className="mt-1">{newPage.notFound}</p>
      </Alert>
    )
  }
  return (
    <div className="space-y-4">
      <Alert kind="success" title={newPage.found}>
        <span className="break-all font-mono text-xs">{showUrl(found.jwksUri)}</span>
      </Alert>
      {jwks ? (
        <>
          <p className="font-medium">{summarize(jwks)}</p>
          <JwksReport jwks={jwks} />
        </>
      ) : null}
    </div>
  )
}
