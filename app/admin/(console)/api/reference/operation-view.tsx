import { CodeBlock } from '#components/ui/code-block.tsx'
import {
  Cell,
  HeaderCell,
  Table,
  TableBody,
  TableHead,
  TableRegion,
  TableRow,
} from '#components/ui/table.tsx'
import type { DocumentedOperation, Parameter } from '#lib/api/document.ts'
import { referenceTexts as texts } from '../texts.ts'
import { TypeView } from './schema-view.tsx'

function Parameters({ of, parameters }: { of: string; parameters: readonly Parameter[] }) {
  return (
    <TableRegion label={`${texts.parameters}: ${of}`}>
      <Table>
        <TableHead>
          <TableRow>
            {[texts.parameter, texts.place, texts.type, texts.meaning].map((title) => (
              <HeaderCell key={title}>{title}</HeaderCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {parameters.map((parameter) => (
            <TableRow key={`${parameter.in} ${parameter.name}`}>
              <Cell>
                <code>{parameter.name}</code>
                {parameter.required ? (
                  <span className="block text-faint text-xs">{texts.required}</span>
                ) : null}
              </Cell>
              <Cell>{parameter.in}</Cell>
              <Cell>
                <TypeView schema={parameter.schema} />
              </Cell>
              <Cell>{parameter.description ?? ''}</Cell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableRegion>
  )
}

function Body({ operationId, requestBody }: DocumentedOperation) {
  const content = requestBody?.content['application/json']
  if (!content) return null
  return (
    <div className="text-sm">
      <p>
        {texts.body}: <TypeView schema={content.schema} />
      </p>
      {content.example === undefined ? null : (
        <CodeBlock label={`${texts.example}: ${operationId}`} className="mt-2">
          {JSON.stringify(content.example, null, 2)}
        </CodeBlock>
      )}
    </div>
  )
}

function Answers({ responses }: Pick<DocumentedOperation, 'responses'>) {
  return (
    <div className="text-sm">
      <p>{texts.answers}</p>
      <ul className="mt-1 space-y-0.5">
        {Object.entries(responses).map(([status, { description, content = {} }]) => (
          <li key={status} className="flex gap-3">
            <code className="shrink-0">{status}</code>
            <span className={status.startsWith('2') ? '' : 'text-faint'}>
              {description}{' '}
              {status.startsWith('2')
                ? Object.entries(content).map(([type, { schema }]) => (
                    <span key={type}>
                      {type === 'application/json' ? <TypeView schema={schema} /> : <code>{type}</code>}{' '}
                    </span>
                  ))
                : null}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

export type ListedOperation = { method: string; path: string; operation: DocumentedOperation }

/** An operation: how it is called, what it needs and what it answers. */
export function OperationView({ method, path, operation }: ListedOperation) {
  const { operationId, summary, description, parameters = [] } = operation
  return (
    <article id={operationId} className="scroll-mt-20 space-y-3 border-line border-t pt-4">
      <h3 className="font-medium">{summary}</h3>
      <p className="break-all font-mono text-sm">
        <span className="font-semibold">{method}</span> {path}
      </p>
      {description ? <p className="max-w-prose text-sm">{description}</p> : null}
      <p className="text-faint text-sm">
        {texts.needs} <code>{operation['x-permission']}</code>
      </p>
      {parameters.length > 0 ? <Parameters of={operationId} parameters={parameters} /> : null}
      <Body {...operation} />
      <Answers responses={operation.responses} />
    </article>
  )
}
