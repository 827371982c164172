import Link from 'next/link'
import { Card } from '#components/ui/card.tsx'
import { CodeBlock } from '#components/ui/code-block.tsx'
import type { Viewer } from '#lib/access/permissions.ts'
import { config, demoCommand } from '#lib/platform/config.ts'
import { canRunDemo } from '../../first-steps.ts'
import { texts } from '../texts.ts'

const { nextSteps } = texts

function Step({ href, title, hint }: { href: string; title: string; hint: string }) {
  return (
    <li>
      <Link href={href} className="text-accent underline">
        {title}
      </Link>
      <p className="text-faint text-sm">{hint}</p>
    </li>
  )
}

/** What is left to do with a Brand to which nobody has talked yet. */
export function NextSteps({ id, viewer }: { id: string; viewer: Viewer }) {
  const at = `/admin/brands/${id}`
  return (
    <Card title={nextSteps.title} description={nextSteps.hint}>
      <ol className="list-inside list-decimal space-y-3">
        <Step href={`${at}/login`} title={nextSteps.login} hint={nextSteps.loginHint} />
        <Step href={`${at}/agent`} title={nextSteps.agent} hint={nextSteps.agentHint} />
        {canRunDemo(viewer) ? (
          <li>
            {nextSteps.talk}
            <CodeBlock label={nextSteps.command} className="mt-2">
              {`${demoCommand(config().providerUrl)} -- --brand ${id}`}
            </CodeBlock>
          </li>
        ) : null}
      </ol>
    </Card>
  )
}
