import {
  Bot,
  ChartColumn,
  Code,
  Handshake,
  House,
  KeyRound,
  MessagesSquare,
  ReceiptText,
  ScrollText,
  Settings,
  ShieldX,
  Store,
  Users,
} from 'lucide-react'

const icons = {
  home: House,
  conversations: MessagesSquare,
  grants: Handshake,
  receipts: ReceiptText,
  usage: ChartColumn,
  refusals: ShieldX,
  agents: Bot,
  brands: Store,
  keys: KeyRound,
  members: Users,
  audit: ScrollText,
  settings: Settings,
  api: Code,
}

export type NavIconName = keyof typeof icons

/** The picture beside a page's name; nothing for a name that has none. */
export function NavIcon({ name }: { name: string }) {
  const known = Object.hasOwn(icons, name) ? icons[name as NavIconName] : undefined
  if (!known) return null
  const Icon = known
  return <Icon aria-hidden />
}
