import { mayAnywhere, type Permission, type Viewer } from '#lib/access/permissions.ts'

export type NavigationLink = { href: string; label: string; icon: string; permission: Permission }
export type NavigationSection = { title: string; links: NavigationLink[] }

const all: readonly NavigationSection[] = [
  {
    title: 'Watch',
    links: [
      { href: '/admin', label: 'Home', icon: 'home', permission: 'home.read' },
      {
        href: '/admin/conversations',
        label: 'Conversations',
        icon: 'conversations',
        permission: 'conversations.read',
      },
      { href: '/admin/grants', label: 'Grants', icon: 'grants', permission: 'grants.read' },
      { href: '/admin/receipts', label: 'Receipts', icon: 'receipts', permission: 'receipts.read' },
      { href: '/admin/usage', label: 'Usage', icon: 'usage', permission: 'usage.read' },
      { href: '/admin/refusals', label: 'Refused requests', icon: 'refusals', permission: 'refusals.read' },
    ],
  },
  {
    title: 'Set up',
    links: [
      {
        href: '/admin/personal-agents',
        label: 'Personal agents',
        icon: 'agents',
        permission: 'personal-agents.read',
      },
      { href: '/admin/brands', label: 'Brands', icon: 'brands', permission: 'brands.read' },
      { href: '/admin/keys', label: 'Signing keys', icon: 'keys', permission: 'keys.read' },
    ],
  },
  {
    title: 'Administer',
    links: [
      { href: '/admin/members', label: 'Members', icon: 'members', permission: 'members.read' },
      { href: '/admin/audit', label: 'Audit log', icon: 'audit', permission: 'audit.read' },
      { href: '/admin/settings', label: 'Settings', icon: 'settings', permission: 'settings.read' },
      { href: '/admin/api', label: 'API', icon: 'api', permission: 'home.read' },
    ],
  },
]

/** The pages that a viewer is offered. Each page checks for itself all the same. */
export function sectionsFor(viewer: Viewer): NavigationSection[] {
  return all.flatMap(({ title, links }) => {
    const offered = links.filter(({ permission }) => mayAnywhere(viewer, permission))
    return offered.length > 0 ? [{ title, links: offered }] : []
  })
}
