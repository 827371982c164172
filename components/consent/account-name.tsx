export type AccountFacts = { id: string; name?: string | undefined; email?: string | undefined }

/** The account that is logged in. */
export function AccountName({ id, name, email }: AccountFacts) {
  return (
    <>
      {name === undefined ? null : <bdi className="name">{name}</bdi>}
      {email === undefined ? null : <bdi className="detail">{email}</bdi>}
      <bdi className="detail">{id}</bdi>
    </>
  )
}

/** An entry of a list of facts: the account, and where another one can log in. */
export function YourAccount({ account, loginUrl }: { account: AccountFacts; loginUrl: string }) {
  return (
    <div>
      <dt>Your account</dt>
      <dd>
        <AccountName {...account} />
        <a href={loginUrl}>Use another account</a>
      </dd>
    </div>
  )
}
