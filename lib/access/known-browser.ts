import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

function sign(email: string, browserId: string, secret: string): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['known browser', email, browserId]))
    .digest()
}

/** A cookie of its own for each account, so that several people can share a browser. Says nothing about the address. */
export function knownBrowserCookieName(email: string): string {
  return `pact-known-${createHash('sha256').update(email).digest('hex').slice(0, 16)}`
}

/** What marks a browser as one where somebody has signed in to this account. It lets nobody in. */
export function markBrowser(email: string, secret: string): string {
  const browserId = randomBytes(16).toString('base64url')
  return `${browserId}.${sign(email, browserId, secret).toString('base64url')}`
}

/** The browser's id, if the mark was made here for this account. */
export function readBrowserMark(mark: string | undefined, email: string, secret: string): string | undefined {
  const [browserId = '', signature = ''] = mark?.split('.') ?? []
  const given = Buffer.from(signature, 'base64url')
  const right = sign(email, browserId, secret)
  return given.length === right.length && timingSafeEqual(given, right) ? browserId : undefined
}
