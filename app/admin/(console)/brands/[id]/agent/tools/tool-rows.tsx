'use client'

import { RowChoice } from '../../../row-choice.tsx'
import { RowField } from '../../../row-field.tsx'
import { RowList } from '../../../row-list.tsx'
import { texts } from '../texts.ts'
import { blankTool, type ToolRow } from './blank-tool.ts'
import { sumTool } from './tool-sum.ts'

const { tools: text } = texts
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value }))

const changes = (['', 'yes', 'no'] as const).map((value) => ({ value, label: text.changing[value] }))

/** What most tools leave as it is. */
function More({ tool, at, disabled }: { tool: ToolRow; at: string; disabled: boolean }) {
  const rest = disabled ? { readOnly: true, optional: true } : { optional: true }
  return (
    <>
      <RowField
        {...rest}
        name={`${at}.request.query`}
        label={text.query}
        hint={text.queryHint}
        value={tool.request.query}
      />
      <RowField
        {...rest}
        name={`${at}.userArgument`}
        label={text.userArgument}
        hint={text.userArgumentHint}
        value={tool.userArgument}
      />
      <RowField
        {...rest}
        name={`${at}.request.header.name`}
        label={text.header}
        hint={text.headerHint}
        value={tool.request.header.name}
      />
      <RowField
        {...rest}
        name={`${at}.request.timeLimitSeconds`}
        label={text.timeLimit}
        value={tool.request.timeLimitSeconds}
      />
    </>
  )
}

type Props = { tools: readonly ToolRow[]; scopes: readonly string[]; disabled: boolean }

/** The tools of an agent, in their order. */
export function ToolRows({ tools, scopes, disabled }: Props) {
  const choices = [{ value: '', label: text.noScope }, ...scopes.map((id) => ({ value: id, label: id }))]
  const rest = disabled ? { readOnly: true } : {}
  return (
    <RowList
      noun={text.noun}
      initial={tools}
      blank={blankTool}
      disabled={disabled}
      sum={sumTool}
      fields={(tool, index) => {
        const at = `tools[${index}]`
        return (
          <>
            <RowField
              {...rest}
              name={`${at}.name`}
              label={text.name}
              hint={text.nameHint}
              value={tool.name}
            />
            <RowChoice
              name={`${at}.scope`}
              label={text.scope}
              options={choices}
              value={tool.scope}
              disabled={disabled}
            />
            <RowField
              {...rest}
              name={`${at}.description`}
              label={text.description}
              hint={text.descriptionHint}
              value={tool.description}
              lines
              className="sm:col-span-2"
            />
            <RowChoice
              name={`${at}.request.method`}
              label={text.method}
              options={methods}
              value={tool.request.method}
              disabled={disabled}
            />
            <RowField
              {...rest}
              name={`${at}.request.url`}
              label={text.url}
              hint={text.urlHint}
              value={tool.request.url}
            />
            <RowChoice
              name={`${at}.changes`}
              label={text.changes}
              options={changes}
              value={tool.changes}
              disabled={disabled}
            />
            <RowField
              {...rest}
              name={`${at}.arguments`}
              label={text.arguments}
              hint={text.argumentsHint}
              value={tool.arguments}
              lines
              optional
              className="sm:col-span-2"
            />
            <More tool={tool} at={at} disabled={disabled} />
          </>
        )
      }}
    />
  )
}
