// The profile PACT Identity (§7): §2, §3, §4 and §6. One file, so that one Provider serves the whole run.
import './requirements/card.ts'
import './requirements/routes.ts'
import './requirements/identity.ts'
import './requirements/unauthorized.ts'
import './requirements/messages.ts'
import './requirements/contexts.ts'
import './requirements/retries.ts'
import './requirements/errors.ts'
