import { hrefWith } from '#components/ui/href.ts'

/** A console page as seen for one Brand; without a Brand, the page as it is. */
export function brandHref(href: string, brand: string | undefined): string {
  return brand ? hrefWith(href, { brand }) : href
}

/** Whether a page lies at an entry of the navigation or below it. The overview lies above all and is itself alone. */
export function isAt(path: string, href: string, root: string): boolean {
  const place = href.split('?')[0] ?? href
  return path === place || (place !== root && path.startsWith(`${place}/`))
}
