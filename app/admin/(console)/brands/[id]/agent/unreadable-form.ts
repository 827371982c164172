import type { FormState } from '#components/console/form-state.ts'
import type { Finding } from '#lib/provisioning/fault.ts'
import { errorsAtFields } from '../../../../nested-fields.ts'

/** What can't be read of a form at all: it is not worth a look by the schema. */
export class UnreadableFormError extends Error {
  override name = 'UnreadableFormError'
  readonly findings: Finding[]

  constructor(findings: Finding[]) {
    super('fields of a form can not be read')
    this.findings = findings
  }
}

type Answer = Partial<FormState> & { status: FormState['status'] }

/** What work with a form answers; where the form turned out to be unreadable, what is wrong at which field. */
export async function tellUnreadable(data: FormData, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UnreadableFormError)) throw error
    return { status: 'invalid', errors: errorsAtFields(error.findings, data) }
  }
}
