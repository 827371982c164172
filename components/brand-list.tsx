type ListedBrand = { id: string; name: string; description: string; cardUrl: string }

/** The Brands of a Provider, each with its Agent Card. */
export function BrandList({ brands }: { brands: ListedBrand[] }) {
  return (
    <ul className="mt-4 space-y-3">
      {brands.map((brand) => (
        <li key={brand.id} className="rounded-md border border-line bg-panel px-4 py-3">
          <h3 className="font-medium">{brand.name}</h3>
          <p className="mt-1 text-faint">{brand.description}</p>
          <a className="mt-2 inline-block break-all text-accent text-sm underline" href={brand.cardUrl}>
            {brand.cardUrl}
          </a>
        </li>
      ))}
    </ul>
  )
}
