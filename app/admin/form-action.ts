import 'server-only'
import type { z } from 'zod'
import { type FormAction, type FormState, ourFault, typedValues } from '#components/console/form-state.ts'
import type { Actor } from '#lib/access/audit.ts'
import { ForbiddenError, may, mayAnywhere, type Permission, type Viewer } from '#lib/access/permissions.ts'
import { TooOftenError } from '#lib/access/trial-limit.ts'
import { log } from '#lib/platform/log.ts'
import { findUnstorable } from '#lib/platform/storable.ts'
import { ProvisionError } from '#lib/provisioning/apply-provision.ts'
import { checkSchema } from '#lib/provisioning/describe-issues.ts'
import { formatPath } from '#lib/provisioning/fault.ts'
import { actorOf, requireViewer } from './viewer.ts'

/** What an action's own work answers: done, or what is wrong at which field; `values` replace what was typed. */
export type Outcome = Partial<FormState> & { status: FormState['status'] }

export type ActionContext = { viewer: Viewer; actor: Actor }

type Definition<T> = {
  permission: Permission
  /** The Brand that it concerns; left out for what concerns the Provider. */
  brandOf?(data: FormData): string | undefined
  /** From the form's fields to the shape that the schema checks; by default its texts by name. */
  shape?(data: FormData): unknown
  schema: z.ZodType<T>
  run(value: T, context: ActionContext, data: FormData): Promise<Outcome>
}

/** An answer to what is no form: whoever calls an action by hand can send anything. */
const noForm: FormState = { status: 'failed', message: ourFault, errors: {}, values: {} }

/** An answer to texts that no database can hold: no browser's field lets anybody type them. */
function refuseUnstorable(values: FormState['values']): FormState | undefined {
  const errors = Object.fromEntries(
    findUnstorable(values).map(({ path: [name = ''], reason }) => [String(name), [reason]]),
  )
  return Object.keys(errors).length > 0 ? { status: 'invalid', errors, values } : undefined
}

/** A server action over a form that is written out by hand; {@link formAction} needs none. */
export function handleForm(run: FormAction): FormAction {
  return async (state, data) => {
    if (!(data instanceof FormData)) return noForm
    return refuseUnstorable(typedValues(data)) ?? run(state, data)
  }
}

/** Findings by the field that they stand at, as {@link FormState} wants them. */
export function errorsOf(findings: readonly { path: readonly (string | number)[]; reason: string }[]) {
  const errors: Record<string, string[]> = {}
  for (const { path, reason } of findings) {
    const field = formatPath(path)
    errors[field] = [...(errors[field] ?? []), reason]
  }
  return errors
}

function isAllowed(viewer: Viewer, permission: Permission, brandId: string | undefined): boolean {
  return brandId === undefined ? may(viewer, permission) : may(viewer, permission, brandId)
}

/** Next tells of redirects and missing pages by throwing: those are for Next. */
function isForNext(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'digest' in error
}

function toOutcome(error: unknown): Outcome {
  if (error instanceof ProvisionError) return { status: 'invalid', errors: errorsOf(error.findings) }
  if (error instanceof ForbiddenError) return { status: 'failed', message: 'You may not do this.' }
  if (error instanceof TooOftenError) return { status: 'failed', message: error.message }
  if (isForNext(error)) throw error
  log().error({ err: error }, 'a console action failed')
  return { status: 'failed', message: ourFault }
}

/**
 * A server action over a form: checks session and permission, reads the fields, checks them with the schema, runs. Errors
 * come back at their fields, with all that was typed.
 */
export function formAction<T>({ permission, brandOf, shape, schema, run }: Definition<T>) {
  return handleForm(async (_state, data) => {
    const values = typedValues(data)
    const viewer = await requireViewer()
    if (!isAllowed(viewer, permission, brandOf?.(data))) {
      return { status: 'failed', message: 'You may not do this.', errors: {}, values }
    }
    try {
      const checked = checkSchema(schema, shape ? shape(data) : values)
      if (!checked.ok) return { status: 'invalid', errors: errorsOf(checked.findings), values }
      const outcome = await run(checked.value, { viewer, actor: await actorOf(viewer) }, data)
      return { errors: {}, ...outcome, values: { ...values, ...outcome.values } }
    } catch (error) {
      return { errors: {}, ...toOutcome(error), values }
    }
  })
}

/** Whether a page may offer what needs a permission anywhere. */
export function isOffered(viewer: Viewer, permission: Permission): boolean {
  return mayAnywhere(viewer, permission)
}
