export type BannerFacts = { name: string; colour?: string | undefined; logoUrl?: string | undefined }

/** Whose page this is: in its colour, with its logo, where it has them. SVG needs no inline style for that. */
export function BrandBanner({ name, colour, logoUrl }: BannerFacts) {
  return (
    <>
      {colour === undefined ? null : (
        <svg className="colour" aria-hidden="true">
          <rect width="100%" height="100%" fill={colour} />
        </svg>
      )}
      {logoUrl === undefined ? null : (
        <svg className="logo" aria-hidden="true">
          <image href={logoUrl} width="100%" height="100%" preserveAspectRatio="xMinYMid meet" />
        </svg>
      )}
      <p className="brand">
        <bdi>{name}</bdi>
      </p>
    </>
  )
}
