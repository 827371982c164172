import { Notice } from '#components/notice.tsx'
import { SiteFrame } from '#components/site-frame.tsx'

export default function NotFound() {
  return (
    <SiteFrame>
      <Notice title="There is no such page">
        <p>
          Check the address, or go to the{' '}
          <a className="text-accent underline" href="/">
            start page
          </a>{' '}
          or to the{' '}
          <a className="text-accent underline" href="/admin">
            console
          </a>
          .
        </p>
      </Notice>
    </SiteFrame>
  )
}
