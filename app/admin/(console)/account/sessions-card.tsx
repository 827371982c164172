import { ConfirmAction } from '#components/console/confirm-action.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Card } from '#components/ui/card.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import { listOwnSessions } from '#lib/access/own-sessions.ts'
import { endOtherSessions, endSession } from './actions.ts'
import { texts } from './texts.ts'

/** Where somebody is signed in, and how to end it. */
export async function SessionsCard({ userId, present }: { userId: string; present: string }) {
  const sessions = await listOwnSessions(userId)
  const others = sessions.filter(({ id }) => id !== present).length
  return (
    <Card
      title={texts.sessionsTitle}
      description={texts.sessionsHint}
      actions={
        others > 0 ? (
          <ConfirmAction
            action={endOtherSessions}
            label={texts.endOthers}
            size="small"
            title={texts.endOthersTitle}
            description={texts.endOthersHint(others)}
            confirmLabel={texts.endOthers}
          />
        ) : null
      }
    >
      <ul className="divide-y divide-line">
        {sessions.map(({ id, browser, address, createdAt, lastSeenAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-2.5 text-sm">
            <div className="min-w-0 space-y-0.5">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {browser} {id === present ? <Badge state="active">{texts.thisBrowser}</Badge> : null}
              </p>
              <p className="break-words text-faint">
                {address ? <>{address} · </> : null}
                {texts.how} <Time at={createdAt.toISOString()} /> · {texts.lastSeen}{' '}
                <RelativeTime at={lastSeenAt.toISOString()} />
              </p>
            </div>
            {id === present ? null : (
              <ConfirmAction
                action={endSession}
                fields={{ session: id }}
                label={texts.end}
                size="small"
                title={texts.endTitle}
                description={texts.endHint(browser)}
                confirmLabel={texts.end}
              />
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
