import type { Column } from '#components/console/table-column.ts'
import { Badge } from '#components/ui/badge.tsx'
import { RelativeTime } from '#components/ui/time.tsx'
import type { Member } from '#lib/access/members.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { roleNames, texts } from './texts.ts'

/** How many Brands of a member a row names. */
const NAMED = 3

function listRoles({ providerRole, brands }: Member): string {
  const named = brands.slice(0, NAMED).map(({ name, role }) => `${roleNames[role]} of ${makeVisible(name)}`)
  const more = brands.length > NAMED ? [`${brands.length - NAMED} more`] : []
  return [...(providerRole ? [roleNames[providerRole]] : []), ...named, ...more].join(', ') || texts.noRole
}

const person: Column<Member> = {
  id: 'member',
  header: texts.member,
  cell: ({ email, name }) => (
    <span className="block">
      {name ? <span className="block">{makeVisible(name)}</span> : null}
      <span className={name ? 'block font-normal text-faint' : undefined}>{email}</span>
    </span>
  ),
}

const roles: Column<Member> = { id: 'roles', header: texts.roles, cell: listRoles }

const state: Column<Member> = {
  id: 'state',
  header: texts.state,
  cell: ({ disabledAt }) => (
    <Badge state={disabledAt ? 'danger' : 'active'}>{disabledAt ? texts.disabled : texts.active}</Badge>
  ),
}

const forStaff: Column<Member>[] = [
  {
    id: 'second-factor',
    header: texts.secondFactor,
    cell: ({ secondFactor }) => (secondFactor ? texts.on : texts.off),
  },
  {
    id: 'last-seen',
    header: texts.lastSeen,
    cell: ({ lastSeenAt }) => (lastSeenAt ? <RelativeTime at={lastSeenAt.toISOString()} /> : texts.never),
  },
]

/** What a Brand's people may know of each other is less than what the Provider's may. */
export function memberColumns(ofProvider: boolean): Column<Member>[] {
  return [person, roles, ...(ofProvider ? forStaff : []), state]
}
