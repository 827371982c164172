import type { Metadata } from 'next'
import Link from 'next/link'
import { z } from 'zod'
import { hrefWith } from '#components/ui/href.ts'
import { PageHeader } from '#components/ui/page-header.tsx'
import { getDocument } from '#lib/api/document.ts'
import { tags } from '#lib/api/operation.ts'
import { requirePermission } from '../../../viewer.ts'
import { texts as apiTexts, referenceTexts as texts } from '../texts.ts'
import { type ListedOperation, OperationView } from './operation-view.tsx'
import { listOperations, listSchemas } from './parts.ts'
import { anchorOf, TypeView } from './schema-view.tsx'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.title }

const path = '/admin/api/reference'
const querySchema = z.object({
  part: z.enum(tags).catch(tags[0]),
  brand: z.string().optional().catch(undefined),
})

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

function Parts({ part, brand }: z.output<typeof querySchema>) {
  return (
    <nav aria-label={texts.parts} className="mb-6">
      <ul className="flex flex-wrap gap-x-4 gap-y-1.5 text-sm">
        {tags.map((tag) => (
          <li key={tag}>
            <Link
              href={hrefWith(path, { brand, part: tag })}
              aria-current={tag === part ? 'page' : undefined}
              className={
                tag === part ? 'font-semibold' : 'text-accent underline underline-offset-2 hover:text-ink'
              }
            >
              {tag}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Contents({ operations }: { operations: readonly ListedOperation[] }) {
  return (
    <ul className="space-y-0.5 text-sm">
      {operations.map(({ method, operation: { operationId, summary } }) => (
        <li key={operationId}>
          <a href={`#${operationId}`} className="text-accent underline underline-offset-2">
            {summary}
          </a>{' '}
          <code className="text-faint text-xs">{method}</code>
        </li>
      ))}
    </ul>
  )
}

/** A part of the API's document for people, made of the very document that is served. All of it at once is a long way to go. */
export default async function ReferencePage({ searchParams }: Props) {
  await requirePermission('home.read')
  const query = querySchema.parse(await searchParams)
  const document = getDocument()
  const operations = listOperations(document, query.part)
  const schemas = listSchemas(document, operations)
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
      <Parts {...query} />
      <div className="max-w-4xl space-y-10">
        <section className="space-y-5">
          <h2 className="font-semibold text-lg">{query.part}</h2>
          <Contents operations={operations} />
          {operations.map((each) => (
            <OperationView key={each.operation.operationId} {...each} />
          ))}
        </section>
        <section className="space-y-5">
          <h2 className="font-semibold text-lg">{texts.schemas}</h2>
          {schemas.map(([name, schema]) => (
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
