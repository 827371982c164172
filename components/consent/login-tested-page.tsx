export const loginTestedTitle = 'The login was tried'

/** What somebody sees who tries a Brand's login from the console. */
export function LoginTestedPage() {
  return (
    <>
      <h1>{loginTestedTitle}</h1>
      <p>The answer of the login has arrived. Nothing was allowed, and nobody was let in by it.</p>
      <p>Close this window: the console shows what was right and what was not.</p>
    </>
  )
}
