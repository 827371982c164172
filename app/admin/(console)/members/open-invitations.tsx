import { ConfirmAction } from '#components/console/confirm-action.tsx'
import { Card } from '#components/ui/card.tsx'
import { RelativeTime } from '#components/ui/time.tsx'
import type { OpenInvitation } from '#lib/access/invitations.ts'
import { revoke } from './actions.ts'
import { describeRole, texts } from './texts.ts'

type Props = { invitations: readonly OpenInvitation[]; nameOf: (brandId: string) => string }

function brandOf({ roles }: OpenInvitation): Record<string, string> {
  const brand = roles.flatMap((role) => ('brand' in role ? [role.brand] : []))[0]
  return brand ? { brand } : {}
}

/** Invitations that nobody has accepted yet. */
export function OpenInvitations({ invitations, nameOf }: Props) {
  if (invitations.length === 0) return null
  return (
    <Card title={texts.open}>
      <ul className="divide-y divide-line">
        {invitations.map((invitation) => (
          <li
            key={invitation.id}
            className="flex flex-wrap items-center justify-between gap-3 py-2.5 text-sm"
          >
            <div className="min-w-0">
              <p className="break-words font-medium">{invitation.email}</p>
              <p className="text-faint">
                {invitation.roles.map((role) => describeRole(role, nameOf)).join(', ')} · {texts.expires}{' '}
                <RelativeTime at={invitation.expiresAt.toISOString()} />
              </p>
            </div>
            {invitation.mayRevoke ? (
              <ConfirmAction
                action={revoke}
                fields={{ invitation: invitation.id, ...brandOf(invitation) }}
                label={texts.revoke}
                size="small"
                title={texts.revokeTitle}
                description={texts.revokeHint(invitation.email)}
                confirmLabel={texts.revoke}
              />
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  )
}
