import Link from 'next/link'
import { PersonalAgentName } from '#components/console/personal-agent-name.tsx'
import { makeVisible } from '#lib/platform/text.ts'
import { texts } from './texts.ts'

type Props = {
  personalAgentId: string
  personalAgent: { name: string; issuer: string } | undefined
  /** What a stranger's token says it is. Anybody can write anything there. */
  issuer?: string
}

/** Whose requests were refused: a personal agent of ours, or what somebody says to be. */
export function RefusedAgent({ personalAgentId, personalAgent, issuer }: Props) {
  if (personalAgent) {
    return (
      <Link
        href={`/admin/personal-agents/${personalAgentId}`}
        prefetch={false}
        className="underline underline-offset-2"
      >
        <PersonalAgentName personalAgent={personalAgent} />
      </Link>
    )
  }
  return (
    <span className="text-faint">
      {texts.unknown}
      {issuer ? (
        <span className="block max-w-80 text-xs">
          {texts.claims} <bdi className="break-all font-mono">{makeVisible(issuer)}</bdi>
        </span>
      ) : null}
    </span>
  )
}
