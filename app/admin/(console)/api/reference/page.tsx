import type { Metadata } from 'next'
import { PageHeader } from '#components/ui/page-header.tsx'
import { type ApiDocument, getDocument } from '#lib/api/document.ts'
import { requirePermission } from '../../../viewer.ts'
import { texts as apiTexts, referenceTexts as texts } from '../texts.ts'
import { type ListedOperation, OperationView } from './operation-view.tsx'
import { anchorOf, TypeView } from './schema-view.tsx'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.title }

function listOperations({ paths }: ApiDocument): ListedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

function Contents({ sections }: { sections: readonly [string, ListedOperation[]][] }) {
  return (
    <details className="mb-8 rounded-card border border-line bg-panel px-5 py-3 text-sm">
      <summary className="cursor-pointer font-medium">{texts.contents}</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {sections.map(([tag, operations]) => (
          <div key={tag}>
            <p className="font-medium">{tag}</p>
            <ul>
              {operations.map(({ operation: { operationId, summary } }) => (
                <li key={operationId}>
                  <a href={`#${operationId}`} className="text-accent underline underline-offset-2">
                    {summary}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </details>
  )
}

/** The API's document for people, made of the very document that is served. */
export default async function ReferencePage() {
  await requirePermission('home.read')
  const document = getDocument()
  const operations = listOperations(document)
  const sections = document.tags.map(({ name }): [string, ListedOperation[]] => [
    name,
    operations.filter(({ operation }) => operation.tags.includes(name)),
  ])
  return (
    <>
      <PageHeader
        title={texts.title}
        description={document.servers.map(({ url }) => url).join(' ')}
        crumbs={[{ label: apiTexts.title, href: '/admin/api' }, { label: texts.title }]}
      />
      <div className="mb-6 max-w-prose space-y-2 text-sm">
        {document.info.description.split('\n\n').map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
      <Contents sections={sections} />
      <div className="max-w-4xl space-y-10">
        {sections.map(([tag, listed]) => (
          <section key={tag} className="space-y-5">
            <h2 className="font-semibold text-lg">{tag}</h2>
            {listed.map((each) => (
              <OperationView key={each.operation.operationId} {...each} />
            ))}
          </section>
        ))}
        <section className="space-y-5">
          <h2 className="font-semibold text-lg">{texts.schemas}</h2>
          {Object.entries(document.components.schemas).map(([name, schema]) => (
            <article
              key={name}
              id={anchorOf(name)}
              className="scroll-mt-20 border-line border-t pt-4 text-sm"
            >
              <h3 className="font-medium">{name}</h3>
              <TypeView schema={schema} />
            </article>
          ))}
        </section>
      </div>
    </>
  )
}
