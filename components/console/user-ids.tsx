import { makeVisible } from '#lib/platform/text.ts'

type Props = { subject: string; brandUserId?: string | undefined }

/** A User, by the names that others gave: the Brand's where it is known, and the personal agent's `sub`. */
export function UserIds({ subject, brandUserId }: Props) {
  const [first, second] = brandUserId === undefined ? [subject, undefined] : [brandUserId, subject]
  return (
    <>
      <bdi className="break-all">{makeVisible(first)}</bdi>{' '}
      {second === undefined ? null : (
        <bdi className="block break-all text-faint text-xs">{makeVisible(second)}</bdi>
      )}
    </>
  )
}
