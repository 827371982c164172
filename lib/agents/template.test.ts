import { describe, expect, it } from 'vitest'
import { parseTemplate } from './template.ts'

function render(source: string, variables: Record<string, unknown> = {}): string {
  const parsed = parseTemplate(source)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.render(variables)
}

describe('templates', () => {
  it('render plain text: nothing is escaped, what is missing is empty', () => {
    expect(render('<b>{{ a }}</b>{{ b.c.d }}{{ e }}.', { a: '<i>&"' })).toBe('<b><i>&"</b>.')
  })

  it('never parse the value of a variable', () => {
    expect(render('{{ a }}', { a: '{{ b }}{% raw %}', b: 'x' })).toBe('{{ b }}{% raw %}')
  })

  it('see own properties only', () => {
    expect(render('{{ constructor }}{{ a.constructor }}{{ a.__proto__ }}{{ toString }}', { a: {} })).toBe('')
  })

  it.each([
    '{{ a | nope }}',
    '{% if a %}',
    '{{ a',
    '{% include "x" %}',
    '{% render "x" %}',
    '{% layout "x" %}',
    '{% nope %}',
  ])('%s is refused with a reason', (source) => {
    const parsed = parseTemplate(source)
    expect(parsed.ok ? '' : parsed.reason).not.toBe('')
  })

  it.each([
    ['a long loop', '{% for i in (1..1000000000) %}x{% endfor %}'],
    ['nested loops', '{% for i in a %}{% for j in a %}{% for k in a %}{% endfor %}{% endfor %}{% endfor %}'],
    ['much output', '{% for i in a %}{% for j in a %}{{ text }}{% endfor %}{% endfor %}'],
    ['more output than a reply can be cut from', '{% for i in (1..200) %}{{ text }}{% endfor %}'],
    ['doubling', '{% for i in (1..40) %}{% assign text = text | append: text %}{% endfor %}{{ text }}'],
    [
      'capturing',
      '{% for i in (1..40) %}{% capture text %}{{ text }}{{ text }}{% endcapture %}{% endfor %}{{ text }}',
    ],
    ['replacing', '{{ text | replace: "x", text }}'],
    ['a wide date', '{{ "now" | date: "%1000000000Y" }}'],
  ])('%s is stopped', (_name, source) => {
    const variables = { a: Array.from({ length: 30_000 }, () => 1), text: 'x'.repeat(32_768) }
    const before = performance.now()
    expect(() => render(source, variables)).toThrow()
    expect(performance.now() - before).toBeLessThan(3_000)
  })
})
