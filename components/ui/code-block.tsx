import { cn } from './class-names.ts'
import { CopyButton } from './copy-button.tsx'

type Props = { children: string; label?: string; copy?: boolean; className?: string }

/** Text for a machine, as it is, with a button that copies it. */
export function CodeBlock({ children, label = 'Code', copy = true, className }: Props) {
  return (
    <div className={cn('relative rounded-card border border-line bg-muted', className)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard */}
      <section aria-label={label} tabIndex={0} className="max-h-96 overflow-auto py-3 pr-12 pl-4">
        <pre className="font-mono text-ink text-sm leading-relaxed">
          <code>{children}</code>
        </pre>
      </section>
      {copy ? <CopyButton text={children} className="absolute top-1.5 right-1.5" /> : null}
    </div>
  )
}
