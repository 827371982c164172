/** What an address asks of a page, as Next hands it over. Others chose it: it is read with a schema. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>
