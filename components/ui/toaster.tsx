'use client'

import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import { hasWaiting, listenForWaiting } from './notify.ts'

const Messages = dynamic(() => import('./messages.tsx').then((module) => module.Messages), { ssr: false })

/** The place of short messages: once per page, in the shell. Most pages never have one, and fetch nothing for it. */
export function Toaster() {
  const [wanted, setWanted] = useState(false)
  useEffect(() => {
    if (hasWaiting()) setWanted(true)
    return listenForWaiting(() => setWanted(true))
  }, [])
  return wanted ? <Messages /> : null
}
