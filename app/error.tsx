'use client'

import { Notice } from '#components/notice.tsx'
import { SiteFrame } from '#components/site-frame.tsx'

export default function PageError({ reset }: { reset: () => void }) {
  return (
    <SiteFrame>
      <Notice title="This page could not be shown">
        <p>Something went wrong on our side. Most often the database can’t be reached for a moment.</p>
        <button
          type="button"
          className="rounded-md border border-line bg-panel px-4 py-2 text-ink"
          onClick={reset}
        >
          Try again
        </button>
      </Notice>
    </SiteFrame>
  )
}
