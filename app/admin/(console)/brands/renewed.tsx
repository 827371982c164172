'use client'

import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'

/** Of what a person sees of a form of lists: which parts of its rows are open, by their place, and where the focus is. */
type View = { open: boolean[]; focus: string | undefined }

const partsOf = (box: Element) => box.querySelectorAll<HTMLDetailsElement>('[data-row] details')

function findFocus(box: Element): string | undefined {
  const focused = box.contains(document.activeElement) ? document.activeElement : null
  if (focused?.matches('[data-part=submit]')) return '[data-part=submit]'
  const name = focused?.getAttribute('name')
  return name ? `[name="${CSS.escape(name)}"]` : undefined
}

function readView(box: Element): View {
  return { open: [...partsOf(box)].map(({ open }) => open), focus: findFocus(box) }
}

function restoreView(box: Element, { open, focus }: View): void {
  for (const [place, part] of partsOf(box).entries()) part.open = open[place] ?? part.open
  if (focus) box.querySelector<HTMLElement>(focus)?.focus({ preventScroll: true })
}

type ContentsProps = { left: RefObject<View | undefined>; children: ReactNode }

function Contents({ left, children }: ContentsProps) {
  const box = useRef<HTMLDivElement>(null)
  // While it goes, it still is on the page, with the focus.
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    if (left.current) restoreView(element, left.current)
    return () => {
      left.current = readView(element)
    }
  }, [left])
  return <div ref={box}>{children}</div>
}

type Props = { version: string | number; children: ReactNode }

/**
 * A form that is made anew with each version of what it shows, so that its fields show that. Rows that were open or folded
 * stay so, by their place, and the focus stays on its field or on the button that saved.
 */
export function Renewed({ version, children }: Props) {
  const left = useRef<View>(undefined)
  return (
    <Contents key={version} left={left}>
      {children}
    </Contents>
  )
}
