import type { WholeSettings } from '#lib/provisioning/read-provider.ts'

/** A number as it was typed; what is none stays as it is, for the schema to refuse. */
function toNumber(typed: FormDataEntryValue | null): unknown {
  const text = typeof typed === 'string' ? typed.trim() : ''
  return text === '' || Number.isNaN(Number(text)) ? text : Number(text)
}

/** From the form's fields to settings that are not checked yet. */
export function readSettingsForm(data: FormData): Record<string, unknown> {
  const bucket = (name: string) => ({
    requests: toNumber(data.get(`limits.${name}.requests`)),
    perSeconds: toNumber(data.get(`limits.${name}.perSeconds`)),
  })
  const days = toNumber(data.get('retentionDays'))
  return {
    organization: data.get('organization'),
    audience: String(data.get('audience') ?? '').trim(),
    trust: data.get('trust'),
    limits: { perPersonalAgent: bucket('perPersonalAgent'), perUser: bucket('perUser') },
    adminsNeedSecondFactor: data.get('adminsNeedSecondFactor') !== null,
    retentionDays: days === '' ? null : days,
  }
}

/** Settings as the form's fields hold them, by their names. */
export function toFields(settings: WholeSettings): Record<string, string> {
  const { organization, audience, trust, limits, adminsNeedSecondFactor, retentionDays } = settings
  return {
    organization,
    audience,
    trust,
    'limits.perPersonalAgent.requests': String(limits.perPersonalAgent.requests),
    'limits.perPersonalAgent.perSeconds': String(limits.perPersonalAgent.perSeconds),
    'limits.perUser.requests': String(limits.perUser.requests),
    'limits.perUser.perSeconds': String(limits.perUser.perSeconds),
    adminsNeedSecondFactor: adminsNeedSecondFactor ? 'yes' : 'no',
    retentionDays: retentionDays === null ? '' : String(retentionDays),
  }
}
