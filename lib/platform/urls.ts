import { isIP } from 'node:net'
import { z } from 'zod'
import { mayReach, type Reach } from './outbound/address-rules.ts'

/** True for `localhost`, `*.localhost`, 127.0.0.0/8 and ::1, as they stand in a parsed URL's `hostname`. */
export function isLoopbackHost(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  if (hostname === '[::1]') return true
  return isIP(hostname) === 4 && hostname.startsWith('127.')
}

/**
 * True for an address literal that may not be reached. Names are looked up, and their addresses judged, when a connection
 * is made.
 */
export function isPrivateAddress(hostname: string, options: Reach): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) !== 0 && !mayReach(address, options)
}

/** What is wrong with `text` as the URL of somebody else's service; undefined when nothing is. */
export function findUrlFault(text: string, options: Reach): string | undefined {
  // `URL` trims some of these and encodes others, while the text is kept as it was written.
  if (/[\s\p{Cc}\p{Cf}]/u.test(text)) return 'must not contain white space, control or invisible characters'
  if (!URL.canParse(text)) return 'must be an absolute URL, such as https://example.com/path'
  const url = new URL(text)
  if (url.username || url.password) return 'must not contain a user name or password'
  if (url.hash) return 'must not contain a fragment (#…)'
  if (isLoopbackHost(url.hostname)) {
    if (!options.allowLoopback) return 'must not point to this machine (set ALLOW_LOOPBACK=1 to allow it)'
    return url.protocol === 'https:' || url.protocol === 'http:'
      ? undefined
      : 'must start with https:// or http://'
  }
  if (isPrivateAddress(url.hostname, options)) return 'must not point to a private or reserved address'
  return url.protocol === 'https:' ? undefined : 'must start with https://'
}

/** The URL of a service that somebody else runs: https, or loopback where that is allowed. Kept as written. */
export function serviceUrl(options: Reach) {
  return z
    .string()
    .max(2048)
    .superRefine((text, context) => {
      const fault = findUrlFault(text, options)
      if (fault) context.addIssue({ code: 'custom', message: fault })
    })
}
