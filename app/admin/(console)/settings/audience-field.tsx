'use client'

import { useState, useSyncExternalStore } from 'react'
import { TextField } from '#components/console/form-field.tsx'
import { texts } from './texts.ts'

type Props = { audience: string; personalAgents: number }

const never = () => () => undefined

/** The audience. Another one must be typed twice; without JavaScript the second field is always there. */
export function AudienceField({ audience, personalAgents }: Props) {
  const scripted = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const [typed, setTyped] = useState(audience)
  const { labels, hints } = texts
  return (
    <>
      <TextField
        name="audience"
        label={labels.audience}
        hint={hints.audience}
        defaultValue={audience}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.currentTarget.value.trim())}
      />
      <div hidden={scripted && typed === audience}>
        <TextField
          name="audienceAgain"
          label={labels.audienceAgain}
          hint={hints.audienceAgain(personalAgents)}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
    </>
  )
}
