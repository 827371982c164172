export type Query = Record<string, string | undefined>

/** An address with its query; what is undefined or empty is left out. */
export function hrefWith(path: string, query: Query): string {
  const [address = '', given] = path.split('?')
  const params = new URLSearchParams(given)
  for (const [name, value] of Object.entries(query)) {
    if (value) params.set(name, value)
    else params.delete(name)
  }
  const text = params.toString()
  return text ? `${address}?${text}` : address
}
