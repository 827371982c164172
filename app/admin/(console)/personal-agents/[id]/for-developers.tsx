import Link from 'next/link'
import { Button } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { cardUrl } from '#lib/brands/addresses.ts'
import { showUrl } from '#lib/identity/show-url.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { buildSnippet } from '../snippet.ts'
import { texts } from '../texts.ts'

const { developer: words, fields } = texts

/** How many cards the page lists. */
const CARDS = 10

type Brand = { id: string; name: string }
type Props = { issuer: string; audience: string | undefined; brands: readonly Brand[] }

function Value({ label, hint, text }: { label: string; hint: string; text: string }) {
  return (
    <div className="space-y-1">
      <h3 className="font-medium text-sm">{label}</h3>
      <p className="text-faint text-sm">{hint}</p>
      <CodeBlock label={label}>{text}</CodeBlock>
    </div>
  )
}

function Cards({ brands }: { brands: readonly Brand[] }) {
  return (
    <div className="space-y-2">
      <h3 className="font-medium text-sm">{words.cards}</h3>
      <p className="text-faint text-sm">{words.cardsHint}</p>
      {brands.slice(0, CARDS).map(({ id, name }) => (
        <div key={id} className="space-y-1">
          <p className="text-sm">
            <bdi>{makeVisible(name)}</bdi>
          </p>
          <CodeBlock label={makeVisible(name)}>{cardUrl(id)}</CodeBlock>
        </div>
      ))}
      {brands.length > CARDS ? <p className="text-faint text-sm">{words.moreCards(CARDS)}</p> : null}
    </div>
  )
}

/** What a personal agent's developers need: audience, addresses, a program to begin with. */
export function ForDevelopers({ issuer, audience, brands }: Props) {
  const [first] = brands
  return (
    <Card title={words.title} description={words.description}>
      <div className="space-y-5">
        <Value label={fields.issuer} hint={words.issuerHint} text={showUrl(issuer)} />
        {audience === undefined ? (
          <p>{words.notProvisioned}</p>
        ) : (
          <Value label={words.audience} hint={words.audienceHint} text={audience} />
        )}
        {first ? (
          <Cards brands={brands} />
        ) : (
          <div className="flex flex-wrap items-center gap-3 text-sm">
            <p>{words.noBrands}</p>
            <Button size="small" asChild>
              <Link href="/admin/brands">{words.createBrand}</Link>
            </Button>
          </div>
        )}
        {first && audience !== undefined ? (
          <Value
            label={words.snippet}
            hint={words.snippetHint}
            text={buildSnippet({ issuer, audience, cardUrl: cardUrl(first.id) })}
          />
        ) : null}
      </div>
    </Card>
  )
}
