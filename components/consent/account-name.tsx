type AccountFacts = { id: string; name?: string | undefined; email?: string | undefined }

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
