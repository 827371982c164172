import Link from 'next/link'

/** An admin's password alone opens everything: told on every page until there is a second factor. */
export function SecondFactorBanner() {
  return (
    <p>
      Your account has no second factor.{' '}
      <Link href="/admin/account" className="text-accent underline underline-offset-4">
        Set one up
      </Link>
    </p>
  )
}
