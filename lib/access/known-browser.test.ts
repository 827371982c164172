import { expect, it } from 'vitest'
import { markBrowser, readBrowserMark } from './known-browser.ts'

it('a browser’s mark holds for its account, and only as it was made here', () => {
  const mark = markBrowser('a@provider.example', 'secret')
  expect(readBrowserMark(mark, 'a@provider.example', 'secret')).toBe(mark.split('.')[0])
  expect(readBrowserMark(mark, 'b@provider.example', 'secret')).toBeUndefined()
  expect(readBrowserMark(mark, 'a@provider.example', 'other')).toBeUndefined()
  for (const forged of [undefined, '', '.', 'x.y', `x.${mark.split('.')[1]}`]) {
    expect(readBrowserMark(forged, 'a@provider.example', 'secret')).toBeUndefined()
  }
})
