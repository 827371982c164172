import type { ReactNode } from 'react'

/** A whole page for a User: one stylesheet, no script. React moves what belongs into the head there. */
export function Document(props: { title: string; basePath: string; children: ReactNode }) {
  const { title, basePath, children } = props
  return (
    <html lang="en">
      <body>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="stylesheet" href={`${basePath}/consent.css`} precedence="default" />
        <link rel="icon" href="data:," />
        <main>{children}</main>
      </body>
    </html>
  )
}
