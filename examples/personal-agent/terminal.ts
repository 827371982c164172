import { stripVTControlCharacters, styleText } from 'node:util'
import { Problem } from './problem.ts'

/** Control characters but for line breaks and tabs; bidirectional and line separators: they make a text look like another. */
const deceptive = /[\p{Cc}--[\n\t]]|[\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/gv

/** Text that somebody else chose, as it may be shown: it moves no cursor, changes no colour and hides nothing. */
export function makeInert(text: string): string {
  return stripVTControlCharacters(text).replace(deceptive, '')
}

/** What the demo says to the person. Colours where the output is a terminal and NO_COLOR is not set. */
export type Terminal = ReturnType<typeof openTerminal>

/** @param write shows a line */
export function openTerminal(write: (line: string) => void) {
  return {
    title(text: string) {
      write(styleText('bold', makeInert(text)))
    },
    detail(label: string, text: string) {
      write(styleText('dim', `  ${label.padEnd(10)} ${makeInert(text)}`))
    },
    choice(mark: number | string, name: string, text: string) {
      write(`  ${styleText('bold', String(mark))}  ${makeInert(name)} ${styleText('dim', makeInert(text))}`)
    },
    hint(text: string) {
      write(styleText('dim', text))
    },
    said(text: string) {
      write(youSay() + makeInert(text))
    },
    reply(name: string, text: string) {
      write(`${styleText(['bold', 'cyan'], `${makeInert(name)} >`)} ${indentLines(makeInert(text))}`)
    },
    notice(text: string) {
      write(styleText('yellow', makeInert(text)))
    },
    problem(problem: unknown) {
      if (!(problem instanceof Problem)) throw problem
      write(styleText('red', makeInert(problem.message)))
      write(problem.advice)
    },
  }
}

/** What stands before the person's own words. */
export function youSay(): string {
  return `${styleText(['bold', 'green'], 'You >')} `
}

/** A text's later lines stand apart, so that none can pass for the next speaker's. */
function indentLines(text: string): string {
  return text.replaceAll('\n', '\n    ')
}
