import { mayAnywhere, type Permission, type Viewer } from '#lib/access/permissions.ts'
import { firstStepTexts as texts } from './texts.ts'

export type FirstStep = { permission: Permission; href: string; title: string }

const setUp: readonly FirstStep[] = [
  { permission: 'personal-agents.write', href: '/admin/personal-agents/new', title: texts.register },
  { permission: 'brands.write', href: '/admin/brands', title: texts.brand },
]

const lookAt: readonly FirstStep[] = [
  { permission: 'personal-agents.read', href: '/admin/personal-agents', title: texts.agents },
  { permission: 'brands.read', href: '/admin/brands', title: texts.brands },
]

/** What a viewer can do before anything has come in; `looks`: there is nothing for them to do but to look. */
export function firstStepsFor(viewer: Viewer): { looks: boolean; steps: FirstStep[] } {
  const offered = (steps: readonly FirstStep[]) =>
    steps.filter(({ permission }) => mayAnywhere(viewer, permission))
  const steps = offered(setUp)
  return steps.length > 0 ? { looks: false, steps } : { looks: true, steps: offered(lookAt) }
}
