import { signOut } from './actions.ts'

/** Ends this browser's session; works without JavaScript. */
export function SignOut() {
  return (
    <form action={signOut}>
      <button type="submit" className="w-full cursor-pointer text-left">
        Sign out
      </button>
    </form>
  )
}
