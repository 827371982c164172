import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'
import { controlStyle } from './input.tsx'

export type Option = { value: string; label: string; disabled?: boolean }

type Props = ComponentProps<'select'> & { options: readonly Option[] }

/** The browser's own list: the one for forms, since it works without JavaScript. */
export function NativeSelect({ options, className, ...rest }: Props) {
  return (
    <span className={cn('relative block', className)}>
      <select className={cn(controlStyle, 'h-9 appearance-none pr-9')} {...rest}>
        {options.map(({ value, label, disabled }) => (
          <option key={value} value={value} disabled={disabled} className="bg-panel text-ink">
            {label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute top-2.5 right-3 size-4 text-faint" />
    </span>
  )
}
