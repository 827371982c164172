'use client'

import { useEffect } from 'react'
import { forgetKeptChecks } from '../(console)/brands/[id]/agent/checks/forget-kept-checks.ts'

/** What a tab keeps of somebody's work goes when it asks who is there: whoever signs in next may be another. */
export function ForgetThisTab() {
  useEffect(forgetKeptChecks, [])
  return null
}
