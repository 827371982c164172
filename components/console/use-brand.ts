'use client'

import { useSearchParams } from 'next/navigation'
import type { ShellBrand } from './shell-data.ts'

/** The Brand that the address names, if the viewer may see it; otherwise the one that the page gives. */
export function useBrand(brands: readonly ShellBrand[], given?: string): string | undefined {
  const named = useSearchParams().get('brand')
  return brands.find(({ id }) => id === named)?.id ?? given
}
