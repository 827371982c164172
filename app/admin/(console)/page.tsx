import Link from 'next/link'
import { z } from 'zod'
import { SpanLinks } from '#components/console/span-links.tsx'
import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { listAttention } from '#lib/access/attention.ts'
import { readTraffic, type Span, spans } from '#lib/access/overview.ts'
import { seesRefusals } from '#lib/access/refusals.ts'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { orNotFound, requirePermission } from '../viewer.ts'
import { FirstSteps } from './first-steps-notice.tsx'
import { Traffic } from './home-traffic.tsx'
import { describeAttention, spanLabels } from './texts.ts'

export const dynamic = 'force-dynamic'
export const metadata = { title: 'Home' }

const querySchema = z.object({
  span: z.enum(Object.keys(spans) as [Span, ...Span[]]).catch('24h'),
  brand: brandIdSchema.optional().catch(undefined),
})

/** Without any of these nothing has come in. */
const counted = ['messages', 'stepUps', 'errors', 'consents', 'denials', 'refusals'] as const

export default async function Home({ searchParams }: { searchParams: Promise<unknown> }) {
  const viewer = await requirePermission('home.read')
  const { span, brand } = querySchema.parse(await searchParams)
  const [points, attention] = await orNotFound(
    Promise.all([readTraffic(viewer, span, brand), listAttention(viewer, brand)]),
  )
  const quiet = points.every((point) => counted.every((kind) => point[kind] === 0))
  return (
    <>
      <PageHeader
        title="Home"
        actions={<SpanLinks path="/admin" query={{ brand }} span={span} labels={spanLabels} />}
      />
      <section aria-labelledby="attention" className="mb-8">
        <h2 id="attention" className="mb-3 font-semibold text-lg">
          What needs attention
        </h2>
        {attention.length === 0 ? (
          <p className="text-faint">Nothing: keys are reachable and in time, and no token was used twice.</p>
        ) : (
          <ul className="space-y-3">
            {attention.map((item) => {
              const { title, detail, href } = describeAttention(item)
              return (
                <li key={href}>
                  <Alert
                    kind="warning"
                    title={title}
                    actions={
                      <Button size="small" asChild>
                        <Link href={href}>Look at it</Link>
                      </Button>
                    }
                  >
                    {detail}
                  </Alert>
                </li>
              )
            })}
          </ul>
        )}
      </section>
      {quiet ? (
        <FirstSteps viewer={viewer} span={spanLabels[span]} />
      ) : (
        <Traffic points={points} span={span} refusals={seesRefusals(viewer, brand)} />
      )}
    </>
  )
}
