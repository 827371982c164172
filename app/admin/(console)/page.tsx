import Link from 'next/link'
import { z } from 'zod'
import { LazyTrafficChart } from '#components/console/lazy-traffic-chart.tsx'
import { SpanLinks } from '#components/console/span-links.tsx'
import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { StatTile } from '#components/ui/stat-tile.tsx'
import {
  Cell,
  HeaderCell,
  Table,
  TableBody,
  TableHead,
  TableRegion,
  TableRow,
} from '#components/ui/table.tsx'
import { Time } from '#components/ui/time.tsx'
import { listAttention } from '#lib/access/attention.ts'
import { type Point, readTraffic, type Span, spans } from '#lib/access/overview.ts'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { finitePercentile } from '#lib/conversations/traffic-percentile.ts'
import { config, demoCommand } from '#lib/platform/config.ts'
import { orNotFound, requirePermission } from '../viewer.ts'
import { percentileText } from './durations.ts'
import { describeAttention, spanLabels } from './texts.ts'

export const dynamic = 'force-dynamic'
export const metadata = { title: 'Home' }

const querySchema = z.object({
  span: z.enum(Object.keys(spans) as [Span, ...Span[]]).catch('24h'),
  brand: brandIdSchema.optional().catch(undefined),
})

const total = (points: readonly Point[], key: 'messages' | 'stepUps' | 'errors' | 'consents' | 'refusals') =>
  points.reduce((sum, point) => sum + point[key], 0).toLocaleString('en')

const colours = {
  messages: 'var(--color-accent)',
  consents: 'var(--color-success)',
  stepUps: 'var(--color-warning)',
  refusals: 'var(--color-danger)',
}

function Numbers({ points }: { points: readonly Point[] }) {
  return (
    <details className="mt-4">
      <summary className="cursor-pointer text-sm">The same as a table</summary>
      <TableRegion label="Traffic over time">
        <Table>
          <TableHead>
            <TableRow>
              {['Time', 'Replies', 'Step-ups', 'Errors', 'Consents', 'Denials', 'Refused', 'p50', 'p95'].map(
                (title) => (
                  <HeaderCell key={title}>{title}</HeaderCell>
                ),
              )}
            </TableRow>
          </TableHead>
          <TableBody>
            {points.toReversed().map((point) => (
              <TableRow key={point.at.getTime()}>
                <Cell>
                  <Time at={point.at.toISOString()} />
                </Cell>
                <Cell>{point.messages}</Cell>
                <Cell>{point.stepUps}</Cell>
                <Cell>{point.errors}</Cell>
                <Cell>{point.consents}</Cell>
                <Cell>{point.denials}</Cell>
                <Cell>{point.refusals}</Cell>
                <Cell>{percentileText(point.p50)}</Cell>
                <Cell>{percentileText(point.p95)}</Cell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableRegion>
    </details>
  )
}

function FirstSteps() {
  return (
    <EmptyState title="Nothing has come in yet">
      <p>
        Register a{' '}
        <Link href="/admin/personal-agents" className="text-accent underline">
          personal agent
        </Link>
        , set up a{' '}
        <Link href="/admin/brands" className="text-accent underline">
          Brand
        </Link>
        , then talk to it: <code>{demoCommand(config().providerUrl)}</code>
      </p>
    </EmptyState>
  )
}

export default async function Home({ searchParams }: { searchParams: Promise<unknown> }) {
  const viewer = await requirePermission('home.read')
  const { span, brand } = querySchema.parse(await searchParams)
  const [points, attention] = await orNotFound(
    Promise.all([readTraffic(viewer, span, brand), listAttention(viewer, brand)]),
  )
  const quiet = points.every(
    ({ messages, refusals, consents, stepUps }) => !(messages + refusals + consents + stepUps),
  )
  const chart = points.map(({ at, p50, p95, ...rest }) => ({
    ...rest,
    at: at.toISOString(),
    p50: finitePercentile(p50),
    p95: finitePercentile(p95),
  }))
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
        <FirstSteps />
      ) : (
        <section aria-labelledby="traffic">
          <h2 id="traffic" className="mb-3 font-semibold text-lg">
            The last {spanLabels[span]}
          </h2>
          <div className="mb-4 grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
            <StatTile label="Replies" value={total(points, 'messages')} />
            <StatTile label="Step-ups" value={total(points, 'stepUps')} />
            <StatTile label="Consents" value={total(points, 'consents')} />
            <StatTile label="Refused" value={total(points, 'refusals')} />
            <StatTile label="Failed turns" value={total(points, 'errors')} />
          </div>
          <div className="grid gap-4 lg:grid-cols-2">
            <Card title="Requests">
              <LazyTrafficChart
                points={chart}
                series={[
                  { key: 'messages', label: 'Replies', colour: colours.messages },
                  { key: 'stepUps', label: 'Step-ups', colour: colours.stepUps },
                  { key: 'consents', label: 'Consents', colour: colours.consents },
                  { key: 'refusals', label: 'Refused', colour: colours.refusals },
                ]}
              />
            </Card>
            <Card title="How long turns take" description="Half of them, and 95 of 100, took no longer.">
              <LazyTrafficChart
                unit=" ms"
                points={chart}
                series={[
                  { key: 'p50', label: 'p50', colour: colours.messages },
                  { key: 'p95', label: 'p95', colour: colours.stepUps },
                ]}
              />
            </Card>
          </div>
          <Numbers points={points} />
        </section>
      )}
    </>
  )
}
