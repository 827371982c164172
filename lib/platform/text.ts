import { z } from 'zod'

/**
 * Control, bidirectional, invisible and blank characters: they make a text look like another. U+2800 is a blank that is no
 * space. Some of them join emoji: those that Unicode recommends are skipped as a whole.
 */
const emojiOrDeceptive =
  /\p{RGI_Emoji}|(?<deceptive>[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800])/gv

/** True when PostgreSQL can hold `text`: no U+0000, no lone surrogate. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function showCodePoint(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`
}

/** Text that others chose, for people to read: control, bidirectional and invisible characters become `[U+202E]`. */
export function makeVisible(text: string): string {
  return text.replace(emojiOrDeceptive, (found, deceptive?: string) =>
    deceptive === undefined ? found : showCodePoint(deceptive),
  )
}

function isDeceptive(text: string): boolean {
  return [...text.matchAll(emojiOrDeceptive)].some(({ groups }) => groups?.deceptive !== undefined)
}

/**
 * Text that people will read and that others chose: trimmed, not blank, without deceptive characters.
 *
 * @param options.max the longest it may be, in UTF-16 units
 * @param options.lines whether line breaks and tabs are allowed
 */
export function displayText(options: { max: number; lines?: boolean }) {
  return z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(options.max, `must be at most ${options.max} characters`)
    .refine((text) => !isDeceptive(options.lines ? text.replace(/[\n\r\t]/g, ' ') : text), {
      message: options.lines
        ? 'must not contain control, bidirectional or invisible characters'
        : 'must not contain line breaks, control, bidirectional or invisible characters',
    })
}
