/** Scripts that are written without spaces: each letter is a token of its own, so that a word is found inside a run. */
const unspaced =
  '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}'

const token = new RegExp(
  `[\\p{L}&&[${unspaced}]]\\p{M}*|[[\\p{L}\\p{N}\\p{M}]--[${unspaced}]]+|\\p{Extended_Pictographic}`,
  'gv',
)

/** What a text says, cut into words once, ready for many questions. */
export type Tokens = {
  words: ReadonlySet<string>
  /** All words in order, each between single spaces, for phrases. */
  line: string
}

/** A word or phrase to look for. */
export type Phrase = { first: string; line: string }

/** Upper case first: it joins what lower case alone keeps apart, such as ß and SS. */
function splitWords(text: string): string[] {
  return text.normalize('NFKC').toUpperCase().toLowerCase().match(token) ?? []
}

/** Cuts `text` into words: letters and digits of any language, without case or compatibility forms (Unicode NFKC). */
export function tokenise(text: string): Tokens {
  const words = splitWords(text)
  return { words: new Set(words), line: ` ${words.join(' ')} ` }
}

/** Prepares a word or phrase; undefined when it has no letter, digit or emoji to look for. */
export function buildPhrase(text: string): Phrase | undefined {
  const words = splitWords(text)
  const [first] = words
  return first === undefined ? undefined : { first, line: ` ${words.join(' ')} ` }
}

/** True when the phrase's words stand in the text one after the other, whatever is between them. */
export function hasPhrase(tokens: Tokens, phrase: Phrase): boolean {
  return tokens.words.has(phrase.first) && tokens.line.includes(phrase.line)
}
