import type { ShownText } from '#lib/conversations/masking.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { texts } from '../texts.ts'

/** Line breaks stay; whatever else could deceive is shown as what it is. */
function visibleLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => makeVisible(line.replaceAll('\t', '    ')))
    .join('\n')
}

/** A text as far as the viewer may read it. */
export function MessageText({ text }: { text: ShownText }) {
  if ('text' in text) {
    return (
      <p dir="auto" className="whitespace-pre-wrap break-words">
        {visibleLines(text.text)}
      </p>
    )
  }
  const instead = 'masked' in text ? texts.detail.characters(text.masked) : texts.detail.purged
  return <p className="text-faint italic">{instead}</p>
}
