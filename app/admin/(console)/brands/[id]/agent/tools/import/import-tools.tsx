'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { type SubmitEvent, useEffect, useRef, useState, useTransition } from 'react'
import { toast } from 'sonner'
import { FormContext } from '#components/console/form-context.tsx'
import { TextAreaField, TextField } from '#components/console/form-field.tsx'
import { connectionLost, idle } from '#components/console/form-state.ts'
import { Alert } from '#components/ui/alert.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { NativeSelect } from '#components/ui/native-select.tsx'
import type { ImportedOperation } from '#lib/agents/openapi/list-operations.ts'
import type { ReadOpenApi } from '#lib/agents/openapi/read-openapi.ts'
import { texts } from '../../texts.ts'
import { addTools, readDocument } from './actions.ts'
import {
  beginPick,
  findMissingScopes,
  findUnchosen,
  listArguments,
  type Picked,
  type Picks,
  pickAll,
  toTools,
  type Usable,
} from './picks.ts'

const { import: text, tools: toolTexts } = texts

const keyOf = ({ method, path }: ImportedOperation) => `${method} ${path}`

/** Stands for a scope that is not chosen yet: no scope has a space (RFC 6749 §3.3). */
const UNCHOSEN = ' '

type PickProps = {
  operation: Usable
  scopes: readonly string[]
  pick: Picked
  onChange: (next: Picked) => void
}

function ScopeChoice({ operation, scopes, pick, onChange }: PickProps) {
  const ids = scopes.map((id) => ({ value: id, label: id }))
  return (
    <NativeSelect
      aria-label={text.scopeOf(operation.tool.name)}
      aria-invalid={pick.scope === undefined}
      aria-required
      options={[
        { value: UNCHOSEN, label: text.choose, disabled: true },
        { value: '', label: toolTexts.noScope },
        ...ids,
      ]}
      value={pick.scope ?? UNCHOSEN}
      onChange={({ target }) => onChange({ ...pick, scope: target.value })}
    />
  )
}

/** Without a scope nobody is known who could be the User. */
function UserChoice({ operation, pick, onChange }: Omit<PickProps, 'scopes'>) {
  const names = listArguments(operation)
  if (!pick.scope || names.length === 0) return null
  return (
    <NativeSelect
      aria-label={text.userOf(operation.tool.name)}
      options={[
        { value: '', label: text.noUser },
        ...names.map((name) => ({ value: name, label: text.isUser(name) })),
      ]}
      value={pick.user}
      onChange={({ target }) => onChange({ ...pick, user: target.value })}
    />
  )
}

type OperationProps = {
  operation: Usable
  scopes: readonly string[]
  picks: Picks
  onPick: (picks: Picks) => void
}

function UsableOperation({ operation, scopes, picks, onPick }: OperationProps) {
  const { tool, notes } = operation
  const pick = picks[tool.name]
  const change = (next: Picked | undefined) => {
    const { [tool.name]: _before, ...others } = picks
    onPick(next ? { ...others, [tool.name]: next } : others)
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Checkbox
          aria-label={text.pick(tool.name)}
          checked={pick !== undefined}
          onChange={({ target }) => change(target.checked ? beginPick(operation, scopes) : undefined)}
        />
        <code className="font-medium">{tool.name}</code>
        {pick ? (
          <>
            <ScopeChoice operation={operation} scopes={scopes} pick={pick} onChange={change} />
            <UserChoice operation={operation} pick={pick} onChange={change} />
            <span className="flex items-center gap-2">
              <Checkbox
                aria-label={text.changesOf(tool.name)}
                checked={pick.changes}
                onChange={({ target }) => change({ ...pick, changes: target.checked })}
              />
              {text.changes}
            </span>
          </>
        ) : null}
      </div>
      {notes.map((note) => (
        <p key={note} className="text-warning">
          {note}
        </p>
      ))}
    </>
  )
}

function Operation(props: Omit<OperationProps, 'operation'> & { operation: ImportedOperation }) {
  const { operation } = props
  return (
    <li className="space-y-1 py-3 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span className="break-all font-mono text-xs">{keyOf(operation)}</span>
        {operation.deprecated ? <Badge state="warning">{text.deprecated}</Badge> : null}
      </p>
      {operation.summary === '' ? null : <p>{operation.summary}</p>}
      {operation.scopes.length > 0 ? (
        <p className="text-faint">{text.scopes(operation.scopes.join(', '))}</p>
      ) : null}
      {'tool' in operation ? (
        <UsableOperation {...props} operation={operation} />
      ) : (
        <p className="text-faint">
          {text.cannot} {operation.unsupported}.
        </p>
      )}
    </li>
  )
}

type FoundProps = {
  id: string
  version: number
  scopes: readonly string[]
  found: Extract<ReadOpenApi, { ok: true }>
}

function Found({ id, version, scopes, found }: FoundProps) {
  const router = useRouter()
  const [picks, setPicks] = useState<Picks>({})
  const [errors, setErrors] = useState<string[]>([])
  const [pending, start] = useTransition()
  const top = useRef<HTMLDivElement>(null)
  // It begins below what was filled in, where nobody would see that it is there.
  useEffect(() => top.current?.focus(), [])
  const missing = findMissingScopes(found.operations, scopes)
  const add = () => {
    const unchosen = findUnchosen(picks)
    if (unchosen.length > 0) {
      setErrors([text.chooseFor(unchosen.join(', '))])
      return
    }
    start(async () => {
      const data = new FormData()
      data.set('id', id)
      data.set('version', String(version))
      data.set('tools', JSON.stringify(toTools(found.operations, picks)))
      const next = await addTools(idle, data).catch(() => undefined)
      if (next?.status === 'done') {
        toast.success(next.message ?? '')
        router.push(`/admin/brands/${id}/agent/tools`)
        return
      }
      const told = next ? [next.message ?? '', ...Object.values(next.errors).flat()] : [connectionLost]
      setErrors(told.filter((each) => each !== ''))
    })
  }
  return (
    <div ref={top} tabIndex={-1} className="scroll-mt-4 outline-none">
      <Card title={text.found(found.title, found.operations.length + found.more)}>
        {missing.length > 0 ? (
          <Alert kind="info">
            <p>{text.missing(missing.join(', '))}</p>
            <Link href={`/admin/brands/${id}/login`} target="_blank" className="underline">
              {text.addScopes}
            </Link>
          </Alert>
        ) : null}
        <Button className="mt-3" onClick={() => setPicks(pickAll(found.operations, picks, scopes))}>
          {text.pickAll}
        </Button>
        {found.more > 0 ? <Alert kind="warning">{text.more(found.more)}</Alert> : null}
        <ul className="divide-y divide-line">
          {found.operations.map((operation) => (
            <Operation
              key={keyOf(operation)}
              operation={operation}
              scopes={scopes}
              picks={picks}
              onPick={setPicks}
            />
          ))}
        </ul>
        {errors.length > 0 ? (
          <Alert kind="danger" live className="mt-4">
            {errors.map((error) => (
              <p key={error}>{error}</p>
            ))}
          </Alert>
        ) : null}
        <Button className="mt-4" variant="primary" pending={pending} onClick={add}>
          {text.add}
        </Button>
      </Card>
    </div>
  )
}

type Props = { id: string; version: number; scopes: readonly string[] }

/** Reads a Brand's OpenAPI document, and lets somebody pick what becomes a tool. */
export function ImportTools({ id, version, scopes }: Props) {
  const [read, setRead] = useState<ReadOpenApi>()
  const [pending, start] = useTransition()
  function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    start(async () => {
      const answer = await readDocument(data).catch(() => ({ ok: false, reason: connectionLost }) as const)
      start(() => setRead(answer))
    })
  }
  return (
    <div className="max-w-4xl space-y-6">
      <Card title={text.title} description={text.hint}>
        <FormContext value={{ state: idle, pending, noteChange: () => {} }}>
          <form onSubmit={send} noValidate className="space-y-5">
            <input type="hidden" name="id" value={id} />
            <fieldset className="min-w-0 space-y-5">
              <legend className="mb-3 text-faint text-sm">{text.oneOf}</legend>
              <TextField name="url" label={text.url} hint={text.urlHint} inputMode="url" />
              <TextField name="file" type="file" accept=".json,.yaml,.yml" label={text.file} />
              <TextAreaField name="text" label={text.text} />
            </fieldset>
            <TextField name="server" label={text.server} hint={text.serverHint} optional inputMode="url" />
            <Button type="submit" variant="primary" pending={pending}>
              {text.read}
            </Button>
          </form>
        </FormContext>
        {read && !read.ok ? (
          <Alert kind="danger" live className="mt-4">
            {read.reason}
          </Alert>
        ) : null}
      </Card>
      {read?.ok ? <Found id={id} version={version} scopes={scopes} found={read} /> : null}
    </div>
  )
}
