'use client'

import dynamic from 'next/dynamic'
import { Skeleton } from './skeleton.tsx'

/** Fetches what the list needs, ahead of its being opened. */
export const loadCommandList = () => import('./command.tsx').then(({ CommandList }) => CommandList)

/** The list, whose library is fetched when it is opened first. */
export const LazyCommandList = dynamic(loadCommandList, {
  ssr: false,
  loading: () => <Skeleton className="m-3 h-9" />,
})
