'use client'

import dynamic from 'next/dynamic'
import { Skeleton } from '#components/ui/skeleton.tsx'

/** The chart, whose library is fetched once the page stands. */
export const LazyTrafficChart = dynamic(
  () => import('./traffic-chart.tsx').then(({ TrafficChart }) => TrafficChart),
  { ssr: false, loading: () => <Skeleton className="h-62 w-full" /> },
)
