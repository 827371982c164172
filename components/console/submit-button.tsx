'use client'

import type { ComponentProps } from 'react'
import { Button } from '#components/ui/button.tsx'
import { useForm } from './form-context.tsx'

/** Sends the `ActionForm` around it; while that runs, it can't be pressed again. */
export function SubmitButton({ variant = 'primary', ...rest }: ComponentProps<typeof Button>) {
  const { pending } = useForm()
  return <Button data-part="submit" {...rest} type="submit" variant={variant} pending={pending} />
}
