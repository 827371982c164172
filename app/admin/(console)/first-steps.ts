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

type FirstSteps = {
  /** There is nothing for them to do but to look. */
  looks: boolean
  steps: FirstStep[]
  /** {@link canRunDemo}. */
  demo: boolean
}

/** Whether a viewer can let the demo talk to a Brand: it runs where the product was installed from, and registers a personal agent. */
export function canRunDemo(viewer: Viewer): boolean {
  return mayAnywhere(viewer, 'personal-agents.write')
}

/** What a viewer can do before anything has come in. */
export function firstStepsFor(viewer: Viewer): FirstSteps {
  const offered = (steps: readonly FirstStep[]) =>
    steps.filter(({ permission }) => mayAnywhere(viewer, permission))
  const steps = offered(setUp)
  const demo = canRunDemo(viewer)
  return steps.length > 0 ? { looks: false, steps, demo } : { looks: true, steps: offered(lookAt), demo }
}
