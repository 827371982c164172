import { Badge } from '#components/ui/badge.tsx'
import { Card } from '#components/ui/card.tsx'
import { RelativeTime } from '#components/ui/time.tsx'
import { hasPasskeys } from '#lib/access/passkeys.ts'
import { listSecondFactors, type SecondFactors } from '#lib/access/second-factors.ts'
import type { ConsoleSignIn } from '#lib/access/sessions.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { AddPasskey } from '../../own/add-passkey.tsx'
import { PasswordDialog } from '../../own/password-dialog.tsx'
import { deletePasskey, makeRecoveryCodes, turnOffTotp } from '../../own/second-factor-actions.ts'
import { ownTexts } from '../../own/texts.ts'
import { TotpForm } from '../../own/totp-form.tsx'

const { totp, passkeys: words, codes } = ownTexts

type Asks = { asksPassword: boolean }

function Passkeys({ passkeys, asksPassword }: Pick<SecondFactors, 'passkeys'> & Asks) {
  if (passkeys.length === 0) return <p className="mb-4 text-faint text-sm">{words.none}</p>
  return (
    <ul className="mb-5 divide-y divide-line">
      {passkeys.map(({ id, name, lastUsedAt }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-2.5 text-sm">
          <div className="min-w-0">
            <p className="break-words font-medium">{makeVisible(name)}</p>
            <p className="text-faint">
              {words.lastUsed}: {lastUsedAt ? <RelativeTime at={lastUsedAt.toISOString()} /> : words.never}
            </p>
          </div>
          <PasswordDialog
            action={deletePasskey}
            title={words.removeTitle(makeVisible(name))}
            description={words.description}
            label={words.remove}
            name={words.removeTitle(makeVisible(name))}
            fields={{ passkey: id }}
            asksPassword={asksPassword}
            danger
          />
        </li>
      ))}
    </ul>
  )
}

/** Authenticator app, passkeys and recovery codes of whoever is signed in. */
export async function SecondFactorCards({ signIn, asksPassword }: { signIn: ConsoleSignIn } & Asks) {
  const factors = await listSecondFactors(signIn.viewer.userId)
  const isAny = factors.totp || factors.passkeys.length > 0
  return (
    <>
      <Card
        title={totp.title}
        description={totp.description}
        actions={
          factors.totp ? (
            <PasswordDialog
              action={turnOffTotp}
              title={totp.title}
              description={totp.removeHint}
              label={totp.remove}
              asksPassword={asksPassword}
              danger
            />
          ) : null
        }
      >
        {factors.totp ? (
          <Badge state="active">{totp.on}</Badge>
        ) : (
          <TotpForm signIn={signIn} asksPassword={asksPassword && isAny} />
        )}
      </Card>
      {hasPasskeys() ? (
        <Card title={words.title} description={words.description}>
          <Passkeys passkeys={factors.passkeys} asksPassword={asksPassword} />
          <AddPasskey asksPassword={asksPassword && isAny} />
        </Card>
      ) : null}
      <Card
        title={codes.title}
        description={isAny ? codes.left(factors.recoveryCodes) : codes.none}
        actions={
          isAny ? (
            <PasswordDialog
              action={makeRecoveryCodes}
              title={codes.renew}
              description={codes.renewHint}
              label={codes.renew}
              asksPassword={asksPassword}
            />
          ) : null
        }
      />
    </>
  )
}
