/** Runs of the instructions that are always found in a reply, in letters and digits: of short instructions, of long ones. */
const SHORTEST = 80
const LONGEST = 400
/** Between the two: the part of the instructions that is no quotation any more. */
const SHARE = 0.6

/** True when a reply gives instructions away. */
export type LeakCheck = (reply: string) => boolean

/** Letters and digits alone: spaces, line breaks and marks between them hide nothing. */
function squeeze(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

/**
 * Compiles a check whether a reply repeats the instructions word for word. A Brand writes facts into its instructions that
 * Users shall hear: a sentence of them may be quoted, a long piece may not. It looks for whole blocks, of which a run has one
 * when it is twice as long: from there on it is found for certain, and below one block never.
 *
 * What a model says in other words, in another language or in a cipher, nobody can tell from an answer: nothing secret
 * belongs into instructions.
 */
export function buildLeakCheck(instructions: string): LeakCheck {
  const text = squeeze(instructions)
  const run = Math.max(SHORTEST, Math.min(LONGEST, Math.ceil(text.length * SHARE)))
  const size = Math.floor(run / 2)
  const blocks = new Set<string>()
  for (let at = 0; at + size <= text.length; at += size) blocks.add(text.slice(at, at + size))
  return (reply) => {
    const squeezed = squeeze(reply)
    for (let at = 0; at + size <= squeezed.length; at++) {
      if (blocks.has(squeezed.slice(at, at + size))) return true
    }
    return false
  }
}
