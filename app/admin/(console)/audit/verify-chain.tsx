'use client'

import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import { type ChainPart, checkChain } from './actions.ts'
import { texts } from './texts.ts'

type Finding = ChainPart | { state: 'failed' }

/** Goes through the chain part by part. @param tell hears of each part */
async function goThrough(tell: (part: Finding) => void): Promise<void> {
  let part = await checkChain()
  tell(part)
  while (part.state === 'more') {
    part = await checkChain(part.place)
    tell(part)
  }
}

function Outcome({ finding }: { finding: Finding }) {
  const { verify } = texts
  switch (finding.state) {
    case 'more':
      return <p role="status">{verify.running(Number(finding.place.id), finding.all)}</p>
    case 'holds':
      return (
        <Alert kind="success" live title={verify.holds(Number(finding.place.id))}>
          <p>{verify.last(finding.place.id)}</p>
          <code className="break-all font-mono">{finding.place.hash}</code>
        </Alert>
      )
    case 'broken':
      return (
        <Alert kind="danger" live title={verify.broken(finding.id)}>
          <p>{verify.because[finding.because]}</p>
          <p>{verify.advice}</p>
        </Alert>
      )
    default:
      return (
        <Alert kind="danger" live title={finding.state === 'failed' ? verify.failed : verify.forbidden} />
      )
  }
}

/** Checks the whole log's chain, and says what was found. */
export function VerifyChain() {
  const [finding, setFinding] = useState<Finding>()
  const [running, setRunning] = useState(false)

  async function run() {
    setRunning(true)
    setFinding(undefined)
    await goThrough(setFinding).catch(() => setFinding({ state: 'failed' }))
    setRunning(false)
  }

  return (
    <div className="mb-4 space-y-3 text-sm">
      <Button onClick={run} pending={running}>
        <ShieldCheck aria-hidden /> {texts.verify.label}
      </Button>
      {finding ? <Outcome finding={finding} /> : null}
    </div>
  )
}
