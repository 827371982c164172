/** A form of a page, as far as submitting it without a browser needs. */
export type HtmlForm = {
  /** Absolute. */
  action: string
  method: 'get' | 'post'
  /** Hidden fields and filled ones: name and value. */
  fields: [name: string, value: string][]
  checkboxes: { name: string; value: string; checked: boolean }[]
  buttons: { name: string; value: string; text: string }[]
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal) return String.fromCodePoint(Number(decimal))
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16))
    return entities[name] ?? whole
  })
}

function readAttributes(tag: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name = '', quoted, single] of tag.matchAll(/([\w-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/g))
    attributes.set(name.toLowerCase(), decodeEntities(quoted ?? single ?? ''))
  return attributes
}

function readButtons(body: string): HtmlForm['buttons'] {
  return [...body.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button>/gi)].map(([, tag = '', content = '']) => {
    const attributes = readAttributes(tag)
    const text = decodeEntities(content.replace(/<[^>]*>/g, ' '))
    return { name: attributes.get('name') ?? '', value: attributes.get('value') ?? '', text }
  })
}

/** The forms of an HTML page, in its order. Only for pages that are known: this is no parser of HTML at large. */
export function readForms(html: string, pageUrl: string): HtmlForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(([, tag = '', body = '']) => {
    const form = readAttributes(tag)
    const inputs = [...body.matchAll(/<input\b([^>]*)>/gi)].map(([, input = '']) => readAttributes(input))
    const boxes = inputs.filter((input) => input.get('type') === 'checkbox')
    return {
      action: new URL(form.get('action') || pageUrl, pageUrl).href,
      method: form.get('method')?.toLowerCase() === 'post' ? 'post' : 'get',
      fields: inputs
        .filter((input) => !boxes.includes(input) && input.get('name'))
        .map((input) => [input.get('name') ?? '', input.get('value') ?? '']),
      checkboxes: boxes.map((input) => ({
        name: input.get('name') ?? '',
        value: input.get('value') ?? 'on',
        checked: input.has('checked'),
      })),
      buttons: readButtons(body),
    }
  })
}
