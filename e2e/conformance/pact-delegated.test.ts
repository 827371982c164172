// The profile PACT Delegated (§7): §5, and its parts of §6. It runs where the card offers delegated authority.
import './requirements/delegated-card.ts'
import './requirements/delegated-device-code.ts'
import './requirements/delegated-token.ts'
import './requirements/delegated-send.ts'
import './requirements/delegated-receipts.ts'
