import { fetchBrands, type ListedBrand } from './card.ts'
import type { Options } from './options.ts'
import { Problem } from './problem.ts'
import { makeInert, type Terminal } from './terminal.ts'

/** Asks the person; undefined when there is nobody, or who is there goes away. */
export type Ask = (prompt: string) => Promise<string | undefined>

/**
 * The URL of the card to talk to: the one named, that of the Brand named, or one of the Provider's list, which the
 * person chooses or which is its first.
 *
 * @returns undefined when the person says /quit instead of choosing
 * @throws Problem when there is no such Brand, or the input ends first
 */
export async function chooseCard(
  options: Options,
  terminal: Terminal,
  ask: Ask | undefined,
): Promise<string | undefined> {
  if (options.card) return options.card
  const brands = await fetchBrands(options.providerUrl)
  if (options.brand !== undefined) return findByName(brands, options.brand).cardUrl
  const [first] = brands
  if (!first) throw new Problem('The Provider has no Brands.', 'Add one with: npm run pact -- apply FILE')
  if (!ask || brands.length === 1) return first.cardUrl
  return (await letChoose(brands, terminal, ask))?.cardUrl
}

function findByName(brands: ListedBrand[], text: string): ListedBrand {
  const wanted = text.toLowerCase()
  const found =
    brands.find(({ id, name }) => id === text || name.toLowerCase() === wanted) ??
    brands.find(({ name }) => name.toLowerCase().includes(wanted))
  if (found) return found
  const names = brands.map(({ name }) => makeInert(name)).join(', ')
  throw new Problem(`The Provider has no Brand "${text}".`, `It has: ${names || 'none'}.`)
}

async function letChoose(
  brands: ListedBrand[],
  terminal: Terminal,
  ask: Ask,
): Promise<ListedBrand | undefined> {
  terminal.title('Whom do you want to talk with?')
  for (const [index, { name, description }] of brands.entries()) terminal.choice(index + 1, name, description)
  for (;;) {
    const answer = await ask(`Number (1 to ${brands.length}): `)
    if (answer === undefined)
      throw new Problem('The input ended before a Brand was chosen.', 'Name one with: --brand NAME')
    if (answer.trim() === '/quit') return undefined
    const chosen = brands[Number(answer.trim() || '1') - 1]
    if (chosen) return chosen
  }
}
