import { cva, type VariantProps } from 'class-variance-authority'
import { LoaderCircle } from 'lucide-react'
import { Slot } from 'radix-ui/slot'
import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

export const buttonStyle = cva(
  'inline-flex shrink-0 cursor-pointer items-center justify-center gap-2 whitespace-nowrap rounded-control font-medium text-sm transition-colors disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-accent text-accent-ink hover:bg-accent/85',
        secondary: 'border border-edge bg-panel text-ink hover:bg-muted',
        ghost: 'text-ink hover:bg-muted',
        danger: 'bg-danger text-danger-ink hover:bg-danger/85',
        link: 'h-auto! px-0! text-accent underline underline-offset-4',
      },
      size: { small: 'h-8 px-3', normal: 'h-9 px-4', icon: 'size-9' },
    },
    defaultVariants: { variant: 'secondary', size: 'normal' },
  },
)

type Props = ComponentProps<'button'> &
  VariantProps<typeof buttonStyle> & {
    /** What it started is still running: it can't be pressed again, and keeps the focus. */
    pending?: boolean
    /** The child, most often a link, takes the button's look. */
    asChild?: boolean
  }

/** A button; without a `type` it submits nothing. */
export function Button({
  variant,
  size,
  pending = false,
  asChild = false,
  className,
  children,
  ...rest
}: Props) {
  const look = cn(buttonStyle({ variant, size }), className)
  if (asChild) {
    return (
      <Slot className={look} {...rest}>
        {children}
      </Slot>
    )
  }
  // Not `disabled`: that would take the focus away.
  const waiting = pending
    ? { 'aria-busy': true, 'aria-disabled': true, type: 'button' as const, onClick: undefined }
    : {}
  return (
    <button type="button" className={look} {...rest} {...waiting}>
      {pending ? <LoaderCircle aria-hidden className="animate-spin" /> : null}
      {children}
    </button>
  )
}
