import { BrandList } from '#components/brand-list.tsx'
import { Command } from '#components/command.tsx'
import { Notice } from '#components/notice.tsx'
import { cardUrl } from '#lib/brands/addresses.ts'
import { listBrands } from '#lib/brands/registry.ts'
import { findProvider, type ProviderFacts } from '#lib/identity/registry.ts'
import { config, demoCommand, isLocal } from '#lib/platform/config.ts'

export const dynamic = 'force-dynamic'

function Unprovisioned() {
  return (
    <Notice title="This Provider is running, and empty">
      <p>
        It has no settings, personal agents or Brands yet. Describe them in a provision file, then apply it:
      </p>
      <Command>npm run pact -- apply examples/demo.yaml</Command>
      <ToConsole />
    </Notice>
  )
}

function ToConsole() {
  return (
    <p className="text-faint">
      <a className="text-accent underline" href="/admin">
        Console
      </a>
      , for those who run this Provider or a Brand here.
    </p>
  )
}

/** What everyone may see of a Provider in the open: who runs it, and nothing of its tenants. */
function PublicHome({ organization }: ProviderFacts) {
  return (
    <Notice title={organization}>
      <p>Personal agents reach the Brands hosted here over A2A 1.0 with PACT 1.0.</p>
      <p>Where a Brand’s Agent Card is, the Brand itself says: look for it at the Brand’s own domain.</p>
      <ToConsole />
    </Notice>
  )
}

async function TrialHome({ organization, audience, trust }: ProviderFacts) {
  const brands = (await listBrands()).map((brand) => ({ ...brand, cardUrl: cardUrl(brand.id) }))
  return (
    <>
      <h1 className="font-semibold text-2xl tracking-tight">{organization}</h1>
      <p className="mt-2 text-faint">A PACT Provider, running on this machine.</p>

      <section className="mt-10">
        <h2 className="font-semibold text-lg">Talk to a Brand</h2>
        <p className="mt-2 text-faint">In a second terminal, start the demo personal agent:</p>
        <Command>{demoCommand(config().providerUrl)}</Command>
      </section>

      <section className="mt-10">
        <h2 className="font-semibold text-lg">Brands</h2>
        {brands.length > 0 ? (
          <BrandList brands={brands} />
        ) : (
          <>
            <p className="mt-2 text-faint">
              There is no Brand yet. Add one to a provision file, then apply it:
            </p>
            <Command>npm run pact -- apply FILE</Command>
          </>
        )}
      </section>

      <section className="mt-10">
        <h2 className="font-semibold text-lg">For a personal agent’s developer</h2>
        <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          <dt className="text-faint">Audience</dt>
          <dd className="break-all font-mono text-sm leading-6">{audience}</dd>
          <dt className="text-faint">Who may call</dt>
          <dd>
            {trust === 'open'
              ? 'any personal agent whose issuer publishes its keys'
              : 'the personal agents that are registered here'}
          </dd>
        </dl>
      </section>

      <section className="mt-10">
        <ToConsole />
      </section>
    </>
  )
}

export default async function Home() {
  const provider = await findProvider()
  if (!provider) return <Unprovisioned />
  return isLocal() ? <TrialHome {...provider} /> : <PublicHome {...provider} />
}
