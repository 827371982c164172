import { makeVisible } from '#lib/platform/text.ts'

/** An issuer, or another URL that others chose, for people: its host in ASCII, so that no letter passes for another. */
export function showUrl(text: string): string {
  if (/^[\x21-\x7e]*$/.test(text)) return text
  return URL.canParse(text) ? new URL(text).href : makeVisible(text)
}
