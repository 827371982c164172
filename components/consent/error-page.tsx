export function ErrorPage({ title }: { title: string }) {
  return (
    <html lang="en">
      <body>
        <h1>{title}</h1>
      </body>
    </html>
  )
}
