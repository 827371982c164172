import Link from 'next/link'
import { EmptyState } from '#components/ui/empty-state.tsx'
import type { Viewer } from '#lib/access/permissions.ts'
import { config, demoCommand } from '#lib/platform/config.ts'
import { type FirstStep, firstStepsFor } from './first-steps.ts'
import { firstStepTexts as texts } from './texts.ts'

function StepLink({ href, title }: FirstStep) {
  return (
    <Link href={href} className="text-accent underline underline-offset-4">
      {title}
    </Link>
  )
}

/** In place of the traffic while there is none: what this viewer can do about it. @param span how far back it was looked, in words */
export function FirstSteps({ viewer, span }: { viewer: Viewer; span: string }) {
  const { looks, steps, demo } = firstStepsFor(viewer)
  if (looks) {
    return (
      <EmptyState title={texts.title(span)}>
        <p>{texts.later}</p>
        <p className="mt-2 flex flex-wrap justify-center gap-x-4">
          {steps.map((step) => (
            <StepLink key={step.href} {...step} />
          ))}
        </p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title={texts.title(span)}>
      <ol className="list-inside list-decimal space-y-1 text-left">
        {steps.map((step) => (
          <li key={step.href}>
            <StepLink {...step} />
          </li>
        ))}
        {demo ? (
          <li>
            {texts.talk} <code>{demoCommand(config().providerUrl)}</code>
          </li>
        ) : null}
      </ol>
    </EmptyState>
  )
}
