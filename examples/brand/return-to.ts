/** Where the User is to be returned to, and for what. */
export type ReturnTo = {
  /** Where the assertion is posted: the consent URL without its query. */
  consentUrl: string
  /** Undefined: the User types it in. */
  userCode: string | undefined
  /** The User wants to see what they have allowed, in place of a code. */
  view?: 'grants'
}

const USER_CODE = /^[A-Za-z]{4}-?[A-Za-z]{4}$/

/** A user code as it is written on the link, or typed by the User; undefined where it can't be one. */
export function readUserCode(text: string): string | undefined {
  const code = text.trim()
  return USER_CODE.test(code) ? code.toUpperCase() : undefined
}

/**
 * Reads `return_to`. Anything but the consent URL of the Brand's own Provider is refused: who followed such a link would
 * be led, logged in, to a stranger (an open redirect).
 *
 * @param interfaceUrl the Brand's interface URL at its Provider
 * @returns undefined when the User can't be returned there
 */
export function readReturnTo(text: string, interfaceUrl: string): ReturnTo | undefined {
  const consentUrl = `${interfaceUrl}/oauth/consent`
  if (text === consentUrl) return { consentUrl, userCode: undefined }
  if (text === `${consentUrl}?view=grants`) return { consentUrl, userCode: undefined, view: 'grants' }
  const prefix = `${consentUrl}?user_code=`
  const userCode = text.startsWith(prefix) ? readUserCode(text.slice(prefix.length)) : undefined
  return userCode === undefined ? undefined : { consentUrl, userCode }
}

/** The text of {@link readReturnTo}, for the login's own form. */
export function writeReturnTo({ consentUrl, userCode, view }: ReturnTo): string {
  if (view !== undefined) return `${consentUrl}?view=${view}`
  return userCode === undefined ? consentUrl : `${consentUrl}?user_code=${userCode}`
}
