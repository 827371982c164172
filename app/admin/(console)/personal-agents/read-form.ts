/** The names of the fields of a limit, as their findings name them. */
export const limitFields = {
  perPersonalAgent: {
    requests: 'limits.perPersonalAgent.requests',
    perSeconds: 'limits.perPersonalAgent.perSeconds',
  },
  perUser: { requests: 'limits.perUser.requests', perSeconds: 'limits.perUser.perSeconds' },
} as const

function textOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** What is no number stays text, so that the schema says so. */
function numberOf(data: FormData, name: string): number | string | undefined {
  const text = textOf(data, name)
  if (text === '') return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : text
}

function bucketOf(data: FormData, which: keyof typeof limitFields) {
  const requests = numberOf(data, limitFields[which].requests)
  const perSeconds = numberOf(data, limitFields[which].perSeconds)
  if (requests === undefined && perSeconds === undefined) return {}
  return {
    [which]: {
      ...(requests === undefined ? {} : { requests }),
      ...(perSeconds === undefined ? {} : { perSeconds }),
    },
  }
}

/** From the fields of a personal agent's form to what `personalAgentSchema` checks. */
export function readAgentForm(data: FormData): unknown {
  const limits = { ...bucketOf(data, 'perPersonalAgent'), ...bucketOf(data, 'perUser') }
  return {
    name: textOf(data, 'name'),
    issuer: textOf(data, 'issuer'),
    jwksUri: textOf(data, 'jwksUri'),
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
  }
}
