'use client'

import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import { texts } from './texts.ts'

type Props = {
  noun: string
  index: number
  /** How many rows there are. */
  count: number
  move: (by: 1 | -1) => void
  remove: () => void
  /** In place of the usual button. */
  removal?: ReactNode
}

/** Moves and removes a row of a list. */
export function RowButtons({ noun, index, count, move, remove, removal }: Props) {
  const { rows: text } = texts
  return (
    <div data-part="buttons" className="flex gap-1">
      <Button
        variant="ghost"
        size="icon"
        data-part="up"
        disabled={index === 0}
        aria-label={text.up(noun, index + 1)}
        onClick={() => move(-1)}
      >
        <ArrowUp aria-hidden />
      </Button>
      <Button
        variant="ghost"
        size="icon"
        data-part="down"
        disabled={index === count - 1}
        aria-label={text.down(noun, index + 1)}
        onClick={() => move(1)}
      >
        <ArrowDown aria-hidden />
      </Button>
      {removal ?? (
        <Button variant="ghost" size="icon" aria-label={text.remove(noun, index + 1)} onClick={remove}>
          <Trash2 aria-hidden />
        </Button>
      )}
    </div>
  )
}
