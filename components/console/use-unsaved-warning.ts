'use client'

import { useEffect } from 'react'

const question = 'There are changes that are not saved. Leave this page without them?'

/** While something typed is not saved, asks before the page is left, by its links too. */
export function useUnsavedWarning(unsaved: boolean) {
  useEffect(() => {
    if (!unsaved) return
    const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const beforeLink = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (!(link instanceof HTMLAnchorElement)) return
      const elsewhere = link.target === '_blank' || event.ctrlKey || event.metaKey || event.shiftKey
      const samePage = link.getAttribute('href')?.startsWith('#')
      if (elsewhere || samePage || window.confirm(question)) return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('beforeunload', beforeUnload)
    document.addEventListener('click', beforeLink, true)
    return () => {
      window.removeEventListener('beforeunload', beforeUnload)
      document.removeEventListener('click', beforeLink, true)
    }
  }, [unsaved])
}
