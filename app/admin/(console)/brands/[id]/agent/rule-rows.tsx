'use client'

import { useForm } from '#components/console/form-context.tsx'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { Field } from '#components/ui/field.tsx'
import { RowField } from '../../row-field.tsx'
import { RowList } from '../../row-list.tsx'
import { CallRows } from './call-rows.tsx'
import { PairRows } from './pair-rows.tsx'
import { blankRule, type RuleRow } from './rule-row.ts'
import { sumRule } from './rule-sum.ts'
import type { RuleTools } from './rule-tools.ts'
import { texts } from './texts.ts'

const { scripted: text } = texts

type BoxProps = { name: string; label: string; checked: boolean; disabled: boolean }

/** A box in a row of a list. */
function RowBox({ name, label, checked, disabled }: BoxProps) {
  const { state } = useForm()
  return (
    <Field name={name} label={label} errors={state.errors[name]} inline>
      {(control) => <Checkbox {...control} defaultChecked={checked} disabled={disabled} />}
    </Field>
  )
}

type MoreProps = { rule: RuleRow; index: number; tools: RuleTools; disabled: boolean }

function More({ rule, index, tools, disabled }: MoreProps) {
  const at = `rules[${index}]`
  const rest = disabled ? { readOnly: true, optional: true } : { optional: true }
  const used = [rule.call, rule.set, rule.missingScopes, rule.failed, rule.delaySeconds].some(
    ({ length }) => length > 0,
  )
  return (
    <details className="sm:col-span-2" open={used}>
      <summary className="cursor-pointer font-medium text-sm">{text.more}</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <CallRows at={`${at}.call`} rule={index + 1} calls={rule.call} tools={tools} disabled={disabled} />
        <PairRows
          at={`${at}.set`}
          legend={text.set(index + 1)}
          hint={text.setHint}
          noun={text.setNoun}
          pairs={rule.set}
          disabled={disabled}
        />
        <RowField
          {...rest}
          name={`${at}.missingScopes`}
          label={text.missingScopes}
          value={rule.missingScopes}
          lines
        />
        <RowField {...rest} name={`${at}.failed`} label={text.failed} value={rule.failed} lines />
        <RowField {...rest} name={`${at}.delaySeconds`} label={text.delay} value={rule.delaySeconds} />
      </div>
    </details>
  )
}

type Props = { rules: readonly RuleRow[]; tools: RuleTools; disabled: boolean }

/** The rules of an agent, in their order. */
export function RuleRows({ rules, tools, disabled }: Props) {
  return (
    <RowList
      noun={text.noun}
      initial={rules}
      blank={blankRule}
      disabled={disabled}
      sum={(rule) => sumRule(rule, tools)}
      fields={(rule, index) => {
        const at = `rules[${index}]`
        const rest = disabled ? { readOnly: true } : {}
        return (
          <>
            <RowField
              {...rest}
              name={`${at}.when.words`}
              label={text.words}
              hint={text.wordsHint}
              value={rule.when.words}
              lines
              optional
            />
            <RowField
              {...rest}
              name={`${at}.when.match`}
              label={text.match}
              hint={text.matchHint}
              value={rule.when.match}
              optional
            />
            <RowField
              {...rest}
              name={`${at}.when.state`}
              label={text.state}
              value={rule.when.state}
              optional
            />
            <RowField
              {...rest}
              name={`${at}.reply`}
              label={text.reply}
              value={rule.reply}
              lines
              className="sm:col-span-2"
            />
            <RowBox name={`${at}.close`} label={text.close} checked={rule.close} disabled={disabled} />
            <More rule={rule} index={index} tools={tools} disabled={disabled} />
          </>
        )
      }}
    />
  )
}
