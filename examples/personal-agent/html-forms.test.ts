import { describe, expect, it } from 'vitest'
import { readForms } from './html-forms.ts'

describe('forms of a page', () => {
  it('are read with fields, boxes and buttons; values are decoded', () => {
    const html = `<form method="POST" action="/go?a=1&amp;b=2">
      <input type="hidden" name="session" value="x&quot;&#x27;y">
      <input type='checkbox' name='scope' value='a' checked=""/><input type="checkbox" name="scope" value="b">
      <button name="decision" value="allow"><b>Allow</b> it</button></form>`
    expect(readForms(html, 'https://p.example/page')).toEqual([
      {
        action: 'https://p.example/go?a=1&b=2',
        method: 'post',
        fields: [['session', `x"'y`]],
        checkboxes: [
          { name: 'scope', value: 'a', checked: true },
          { name: 'scope', value: 'b', checked: false },
        ],
        buttons: [{ name: 'decision', value: 'allow', text: expect.stringContaining('Allow') }],
      },
    ])
  })

  it('lead to their own page where they name none', () => {
    expect(readForms('<form></form>', 'https://p.example/page?x')[0]).toMatchObject({
      action: 'https://p.example/page?x',
      method: 'get',
    })
  })
})
