import { makeVisible } from '#lib/platform/text.ts'

type Props = { personalAgent: { name: string; issuer: string } }

/** A personal agent: who it is stands in the issuer's origin, in ASCII; its name is only what it calls itself. */
export function PersonalAgentName({ personalAgent: { name, issuer } }: Props) {
  return (
    <>
      <bdi>{makeVisible(name)}</bdi>{' '}
      <span className="block break-all text-faint text-xs">{originOf(issuer)}</span>
    </>
  )
}

function originOf(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).origin : makeVisible(issuer)
}
