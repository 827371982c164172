import type { Operation } from './operation.ts'
import { agentOperations } from './operations/agent-drafts.ts'
import { auditOperations } from './operations/audit.ts'
import { brandOperations } from './operations/brands.ts'
import { conversationOperations } from './operations/conversations.ts'
import { grantOperations } from './operations/grants.ts'
import { invitationOperations } from './operations/invitations.ts'
import { keyOperations } from './operations/keys.ts'
import { memberOperations } from './operations/members.ts'
import { overviewOperations } from './operations/overview.ts'
import { personalAgentOperations } from './operations/personal-agents.ts'
import { providerOperations } from './operations/provider.ts'
import { receiptOperations } from './operations/receipts.ts'
import { tokenOperations } from './operations/tokens.ts'
import { usageOperations } from './operations/usage.ts'

let made: readonly Operation[] | undefined

/** The one table of what the API can do. Made at its first use: some schemas depend on the configuration. */
export function operations(): readonly Operation[] {
  made ??= [
    ...overviewOperations(),
    ...providerOperations(),
    ...personalAgentOperations(),
    ...brandOperations(),
    ...agentOperations(),
    ...keyOperations(),
    ...usageOperations(),
    ...conversationOperations(),
    ...grantOperations(),
    ...receiptOperations(),
    ...auditOperations(),
    ...memberOperations(),
    ...invitationOperations(),
    ...tokenOperations(),
  ]
  return made
}
