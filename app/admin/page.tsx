import { Command } from '#components/command.tsx'
import { Notice } from '#components/notice.tsx'

export default function Console() {
  return (
    <Notice title="The Provider is run from the command line">
      <p>There is nothing to sign in to here. An operator uses:</p>
      <Command>npm run pact -- --help</Command>
    </Notice>
  )
}
