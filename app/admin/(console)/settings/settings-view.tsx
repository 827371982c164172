import { Card } from '#components/ui/card.tsx'
import { DescriptionList } from '#components/ui/description-list.tsx'
import { makeVisible } from '#lib/platform/text.ts'
import type { ShownSettings } from '#lib/provisioning/settings-page.ts'
import { texts } from './texts.ts'

/** The settings of the Provider, for those who may only look at them. */
export function SettingsView({ shown: { settings } }: { shown: ShownSettings }) {
  const { labels } = texts
  const { perPersonalAgent, perUser } = settings.limits
  const items = [
    { term: labels.organization, value: <bdi>{makeVisible(settings.organization)}</bdi> },
    { term: labels.audience, value: <code className="font-mono">{makeVisible(settings.audience)}</code> },
    { term: labels.trust, value: texts.trust[settings.trust] },
    {
      term: texts.perPersonalAgent,
      value: texts.bucket(perPersonalAgent.requests, perPersonalAgent.perSeconds),
    },
    { term: texts.perUser, value: texts.bucket(perUser.requests, perUser.perSeconds) },
    {
      term: labels.adminsNeedSecondFactor,
      value: settings.adminsNeedSecondFactor ? texts.on : texts.off,
    },
    {
      term: texts.retention,
      value: settings.retentionDays === null ? texts.kept : texts.days(settings.retentionDays),
    },
  ]
  return (
    <Card className="max-w-3xl">
      <DescriptionList items={items} />
    </Card>
  )
}
