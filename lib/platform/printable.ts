/** Control, bidirectional and invisible characters: a terminal would obey them. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Text that others chose, on one line and inert, for a terminal. */
export function printable(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(unprintable, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
