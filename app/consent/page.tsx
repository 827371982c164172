import { Notice } from '#components/notice.tsx'

export default function Consent() {
  return (
    <Notice title="There is nothing to approve here">
      <p>
        The Brands of this Provider do not ask for access to accounts. If a personal agent sent you here, go
        back to it and ask what it needs.
      </p>
    </Notice>
  )
}
