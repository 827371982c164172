import { Notice } from '#components/notice.tsx'

export default function Consent() {
  return (
    <Notice title="There is nothing to approve here">
      <p>
        What a personal agent asks for stands behind the link that it shows you. Go back to it and open that
        link.
      </p>
    </Notice>
  )
}
