/** What a consent page's sentences are made of. */
type Facts = {
  brand: string
  provider: string
  personalAgent: { name: string; origin: string; verified: boolean }
  /** Whether scopes are shown that are allowed already and not asked for. */
  besides: boolean
  /** Whether any scope that is shown is allowed already, asked for or not. */
  allowedBefore: boolean
  grantDays: number
}

/** The sentences of a consent page, as they are shown and as they are stored with the decision. */
export type ConsentTexts = {
  title: string
  lead: string
  warning: string
  identity: string
  requested: string
  /** Undefined where there is nothing besides. */
  besides: string | undefined
  duration: string
  noneChecked: string
  /** What the button that denies leaves as it is; undefined where there is nothing. */
  denyKeeps: string | undefined
  allow: string
  deny: string
  /** The link to the page where it can be withdrawn. */
  grants: string
}

const DENY = 'Do not allow'
/** The page's own title, too. */
export const GRANTS = 'What I have allowed'

function describeDuration(days: number): string {
  if (days >= 1) return days < 2 ? '1 day' : `${Math.floor(days)} days`
  const minutes = Math.max(1, Math.floor(days * 24 * 60))
  if (minutes >= 120) return `${Math.floor(minutes / 60)} hours`
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

/** Writes a consent page's sentences, in English. */
export function writeConsentTexts({
  brand,
  provider,
  personalAgent,
  besides,
  allowedBefore,
  grantDays,
}: Facts): ConsentTexts {
  const { name, origin, verified } = personalAgent
  return {
    title: `Let ${name} use your ${brand} account?`,
    lead: `${name} asks ${brand} for permission to act for you.`,
    warning: `Continue only if you started this yourself in ${name} (${origin}), and it shows you this very code. If somebody sent you the link or the code, do not allow anything.`,
    identity: verified
      ? `Verified: this assistant is registered with ${provider}.`
      : `Not verified: ${provider} does not know who is behind this assistant. Trust it only as far as you trust ${origin}.`,
    requested: 'It asks to',
    besides: besides ? 'It may already' : undefined,
    duration: `What you allow holds for ${describeDuration(grantDays)}, or until you withdraw it under “${GRANTS}”.`,
    noneChecked: allowedBefore
      ? 'Uncheck whatever you do not want. With nothing left checked, nothing is allowed any more.'
      : 'Uncheck whatever you do not want. With nothing left checked, nothing is allowed.',
    denyKeeps: allowedBefore ? `“${DENY}” leaves what it may do already as it is.` : undefined,
    allow: 'Allow what is checked',
    deny: DENY,
    grants: GRANTS,
  }
}
