import type { ReactNode } from 'react'
import type { JsonSchema } from '#lib/api/json-schemas.ts'
import { referenceTexts as texts } from '../texts.ts'

/** The anchor of a schema that has a name. */
export const anchorOf = (name: string) => `schema-${name}`

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function asSchemas(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : []
}

function SchemaLink({ to }: { to: string }) {
  const name = to.split('/').at(-1) ?? ''
  return (
    <a href={`#${anchorOf(name)}`} className="text-accent underline underline-offset-2">
      {name}
    </a>
  )
}

/** Bounds and the like, as far as they help. */
function describeRules(schema: JsonSchema): string {
  const { minLength, maxLength, minimum, maximum, pattern, minItems, maxItems } = schema
  const between = (least: unknown, most: unknown, what: string) =>
    least === undefined && most === undefined ? [] : [`${least ?? 0}–${most ?? '…'}${what}`]
  const isHuge = typeof maximum === 'number' && maximum >= Number.MAX_SAFE_INTEGER
  return [
    ...between(minLength, maxLength, ' characters'),
    ...(isHuge ? [] : between(minimum, maximum, '')),
    ...between(minItems, maxItems, ' entries'),
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...('default' in schema ? [`${texts.byDefault} ${JSON.stringify(schema.default)}`] : []),
  ].join(', ')
}

function SimpleType({ schema }: { schema: JsonSchema }): ReactNode {
  const { type, format } = schema
  const values: unknown = 'const' in schema ? [schema.const] : schema.enum
  if (Array.isArray(values))
    return values.map((value) => <code key={String(value)}>{`${JSON.stringify(value)} `}</code>)
  return String(format ?? type ?? texts.anything)
}

/** What a value may be, in a line where it can. */
export function TypeView({ schema }: { schema: JsonSchema }): ReactNode {
  const { $ref, items, properties, additionalProperties } = schema
  if (typeof $ref === 'string') return <SchemaLink to={$ref} />
  const choices = asSchemas(schema.anyOf ?? schema.oneOf)
  if (choices.length > 0) return <Choices schemas={choices} />
  if (isSchema(items))
    return (
      <>
        {texts.list} <TypeView schema={items} />
      </>
    )
  if (isSchema(properties)) return <MemberList schema={schema} />
  if (isSchema(additionalProperties) && Object.keys(additionalProperties).length > 0)
    return (
      <>
        {texts.byName} <TypeView schema={additionalProperties} />
      </>
    )
  const rules = describeRules(schema)
  return (
    <>
      <SimpleType schema={schema} />
      {rules ? <span className="break-all text-faint"> ({rules})</span> : null}
    </>
  )
}

function Choices({ schemas }: { schemas: readonly JsonSchema[] }) {
  return (
    <>
      {texts.oneOf}
      <ul className="ml-4 list-disc">
        {schemas.map((choice, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index}>
            <TypeView schema={choice} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** The members of an object. */
function MemberList({ schema }: { schema: JsonSchema }) {
  const members = isSchema(schema.properties) ? Object.entries(schema.properties) : []
  const required = Array.isArray(schema.required) ? schema.required : []
  return (
    <ul className="mt-1 space-y-1 border-line border-l pl-3">
      {members.map(([name, member]) => (
        <li key={name} className="text-sm">
          <code className="font-medium">{name}</code>
          {required.includes(name) ? <span className="text-faint text-xs"> {texts.required}</span> : null}{' '}
          {isSchema(member) ? <TypeView schema={member} /> : null}
          {isSchema(member) && typeof member.description === 'string' ? (
            <span className="block text-faint">{member.description}</span>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
