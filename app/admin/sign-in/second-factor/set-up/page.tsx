import Link from 'next/link'
import { hasPassword } from '#lib/access/change-password.ts'
import { hasPasskeys } from '#lib/access/passkeys.ts'
import { AddPasskey } from '../../../own/add-passkey.tsx'
import { ownTexts } from '../../../own/texts.ts'
import { TotpForm } from '../../../own/totp-form.tsx'
import { requireOwnSignIn } from '../../../viewer.ts'
import { texts } from '../../texts.ts'

export const dynamic = 'force-dynamic'

export default async function SetUpSecondFactorPage() {
  const signIn = await requireOwnSignIn()
  const asksPassword = signIn.hasSecondFactor && (await hasPassword(signIn.viewer.userId))
  return (
    <>
      <h1 className="font-semibold text-2xl tracking-tight">{texts.setUp.title}</h1>
      <p className="mt-1 mb-6 text-faint">{texts.setUp.description}</p>
      <h2 className="mb-2 font-semibold">{ownTexts.totp.title}</h2>
      <TotpForm signIn={signIn} next="/admin" asksPassword={asksPassword} />
      {hasPasskeys() ? (
        <section className="mt-6 border-line border-t pt-5">
          <h2 className="font-semibold">{ownTexts.passkeys.title}</h2>
          <p className="mt-1 mb-3 text-faint text-sm">{ownTexts.passkeys.description}</p>
          <AddPasskey next="/admin" asksPassword={asksPassword} />
        </section>
      ) : null}
      {signIn.hasSecondFactor ? (
        <p className="mt-6 text-center">
          <Link href="/admin" className="text-accent underline underline-offset-4">
            {texts.setUp.done}
          </Link>
        </p>
      ) : null}
    </>
  )
}
