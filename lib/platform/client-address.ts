/** Where `server.ts` puts who calls; what a caller sends there does not count. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address'

/** The network address that a request of a page, an action or the API comes from; undefined where nobody put it there. */
export function clientAddressOf(headers: Pick<Headers, 'get'>): string | undefined {
  return headers.get(CLIENT_ADDRESS_HEADER) || undefined
}
