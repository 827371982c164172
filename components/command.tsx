/** A command that a person types into a terminal. */
export function Command({ children }: { children: string }) {
  return (
    <pre className="mt-2 whitespace-pre-wrap break-words rounded-md border border-line bg-panel px-4 py-3 font-mono text-sm">
      <code>{children}</code>
    </pre>
  )
}
