import { numberText as count } from '#components/ui/number-text.ts'
import type { Attention } from '#lib/access/attention.ts'

const loginKeyFaults: Readonly<Record<string, string>> = {
  jwks_unreachable: 'Its host did not deliver them when they were asked for last.',
  jwks_invalid: 'What its host delivers is no JWKS.',
  no_usable_key: 'None of the keys in its JWKS works.',
}

/** What needs attention, in words, and where it is mended. */
export function describeAttention(item: Attention): { title: string; detail: string; href: string } {
  switch (item.kind) {
    case 'keys-unreachable':
      return {
        title: `The keys of ${item.name} can’t be used`,
        detail: `${item.count === 1 ? '1 request was' : `${count(item.count)} requests were`} refused for it in the last two hours.`,
        href: `/admin/personal-agents/${item.personalAgentId}`,
      }
    case 'login-keys-failing':
      return {
        title: `The login keys of ${item.brand} can’t be used`,
        detail: `${loginKeyFaults[item.fault] ?? item.fault} While it lasts, nobody can log in there to allow anything.`,
        href: `/admin/brands/${item.brandId}/login`,
      }
    case 'token-reused':
      return {
        title: `A used refresh token came again at ${item.brand}`,
        detail:
          'Somebody may have copied it. Every token of that grant has ended; the User must log in once more.',
        href: `/admin/grants/${item.grantId}`,
      }
    case 'key-overdue':
      return {
        title: `The signing key of ${item.brand} is overdue`,
        detail: 'It should have been replaced by its schedule more than an hour ago.',
        href: `/admin/keys?brand=${item.brandId}`,
      }
    case 'refusals-rising':
      return {
        title: 'More requests are refused than yesterday',
        detail: `${count(item.today)} in the last 24 hours, ${count(item.before)} in the 24 before.`,
        href: '/admin/refusals',
      }
  }
}

export const trafficTexts = {
  title: (span: string) => `The last ${span}`,
  time: 'Time',
  figures: {
    messages: 'Replies',
    stepUps: 'Step-ups',
    errors: 'Failed turns',
    consents: 'Consents',
    denials: 'Denials',
    refusals: 'Refused',
    p50: 'p50',
    p95: 'p95',
  },
  requests: 'Requests',
  durations: 'How long turns take',
  durationsHint: 'Half of them, and 95 of 100, took no longer.',
  asTable: 'The same as a table',
  table: 'Traffic over time',
} as const

/** What can be done before anything has come in. */
export const firstStepTexts = {
  title: (span: string) => `Nothing has come in during the last ${span}`,
  later: 'As soon as a personal agent talks to a Brand, it shows here.',
  register: 'Register a personal agent',
  brand: 'Set up a Brand: its card, its login, its agent',
  talk: 'Talk to it, in a terminal:',
  agents: 'Look at the personal agents',
  brands: 'Look at the Brands',
} as const

export const spanLabels = { '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const

export const notFoundTexts = {
  title: 'There is no such page',
  why: 'The address is wrong, what it names is gone, or it is not for your role.',
  home: 'Go to the console’s home',
} as const
