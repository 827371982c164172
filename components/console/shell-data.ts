import type { ReactNode } from 'react'

export type ShellBrand = { id: string; name: string }
export type ShellLink = { href: string; label: string; icon?: ReactNode }
export type ShellSection = { title: string; links: readonly ShellLink[] }
