import axe from 'axe-core'
import type { Page } from 'playwright'

/** What axe finds wrong with a page as it is now. */
export async function findViolations(page: Page): Promise<string[]> {
  // Once for each page that was loaded: it takes as long as to look.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  // To describe all that is right as well would take longer than to look.
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }))
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** How far a page reaches beyond the window's width, in pixels. */
export function findOverhang(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/** Writes down every error that a page's scripts report, from now on; what was listened for before is so no more. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = []
  page.removeAllListeners('pageerror')
  page.removeAllListeners('console')
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`)
  })
  return errors
}

/** The compressed size of all scripts that a page has fetched, in bytes; those that the browser had count as well. */
export function sumScripts(page: Page): Promise<number> {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry): entry is PerformanceResourceTiming => /\.js(\?|$)/.test(entry.name))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  )
}

declare global {
  interface Window {
    axe: typeof axe
    /** What the Tab key has not reached yet. */
    waitingForFocus: Set<HTMLElement>
  }
}

/** How many things of a page the Tab key is tried on, from its beginning: more of the same would only take time. */
const MOST_TRIED = 80

/** What a mouse can use and the Tab key does not reach. */
export async function findUnreachable(page: Page): Promise<string[]> {
  const count = await page.evaluate((most) => {
    const usable = 'a[href], button, input, select, textarea, summary, [tabindex]'
    const groups = new Set<string>()
    const reachable = [...document.querySelectorAll<HTMLElement>(usable)].filter((element) => {
      if (element.tabIndex < 0 || element.matches(':disabled, [type=hidden]') || !element.checkVisibility())
        return false
      if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true
      // One of a group has the focus; arrow keys lead to the others.
      const first = !groups.has(element.name)
      groups.add(element.name)
      return first
    })
    const waiting = new Set(reachable.slice(0, most))
    const reached = (event: FocusEvent) => {
      if (!(event.target instanceof HTMLElement)) return
      waiting.delete(event.target)
      if (!(event.target instanceof HTMLInputElement) || event.target.type !== 'radio') return
      for (const element of waiting)
        if (element instanceof HTMLInputElement && element.name === event.target.name) waiting.delete(element)
    }
    document.addEventListener('focusin', reached)
    window.waitingForFocus = waiting
    return waiting.size
  }, MOST_TRIED)
  // More often than there are things: a date has several stops.
  for (let press = 0; press < 2 * count + 10; press++) {
    await page.keyboard.press('Tab')
    if (press % 20 === 19 && (await page.evaluate(() => window.waitingForFocus.size)) === 0) break
  }
  return page.evaluate(() => {
    const byMouse = [...document.querySelectorAll<HTMLElement>('main *')].filter(
      (element) =>
        getComputedStyle(element).cursor === 'pointer' &&
        !element.closest('a[href], button, label, summary, input, select, option, [tabindex]') &&
        element.checkVisibility(),
    )
    return [...window.waitingForFocus, ...byMouse].map(({ outerHTML }) => outerHTML.slice(0, 200))
  })
}
