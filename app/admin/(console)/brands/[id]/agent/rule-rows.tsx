'use client'

import { useForm } from '#components/console/form-context.tsx'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { Field } from '#components/ui/field.tsx'
import { RowField } from '../../row-field.tsx'
import { RowList } from '../../row-list.tsx'
import { sumRule, type ToolScopes } from './rule-sum.ts'
import { texts } from './texts.ts'

/** A rule as its fields show it. */
export type RuleRow = {
  when: { words: string; match: string; state: string }
  reply: string
  call: string
  set: string
  missingScopes: string
  failed: string
  delaySeconds: string
  close: boolean
}

const blank: RuleRow = {
  when: { words: '', match: '', state: '' },
  reply: '',
  call: '',
  set: '',
  missingScopes: '',
  failed: '',
  delaySeconds: '',
  close: false,
}
const { scripted: text } = texts

/** A box in a row of a list. */
function RowBox({ name, label, checked }: { name: string; label: string; checked: boolean }) {
  const { state } = useForm()
  return (
    <Field name={name} label={label} errors={state.errors[name]} inline>
      {(control) => <Checkbox {...control} defaultChecked={checked} />}
    </Field>
  )
}

function More({ rule, at }: { rule: RuleRow; at: string }) {
  const used = [rule.call, rule.set, rule.missingScopes, rule.failed, rule.delaySeconds].some(
    (each) => each !== '',
  )
  return (
    <details className="sm:col-span-2" open={used}>
      <summary className="cursor-pointer font-medium text-sm">{text.more}</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <RowField
          name={`${at}.call`}
          label={text.call}
          hint={text.callHint}
          value={rule.call}
          lines
          optional
        />
        <RowField name={`${at}.set`} label={text.set} hint={text.setHint} value={rule.set} lines optional />
        <RowField
          name={`${at}.missingScopes`}
          label={text.missingScopes}
          value={rule.missingScopes}
          lines
          optional
        />
        <RowField name={`${at}.failed`} label={text.failed} value={rule.failed} lines optional />
        <RowField name={`${at}.delaySeconds`} label={text.delay} value={rule.delaySeconds} optional />
      </div>
    </details>
  )
}

type Props = { rules: readonly RuleRow[]; tools: ToolScopes; disabled: boolean }

/** The rules of an agent, in their order. */
export function RuleRows({ rules, tools, disabled }: Props) {
  return (
    <RowList
      noun={text.noun}
      initial={rules}
      blank={blank}
      disabled={disabled}
      sum={(rule) => sumRule(rule, tools)}
      fields={(rule, index) => {
        const at = `rules[${index}]`
        return (
          <>
            <RowField
              name={`${at}.when.words`}
              label={text.words}
              hint={text.wordsHint}
              value={rule.when.words}
              lines
              optional
            />
            <RowField
              name={`${at}.when.match`}
              label={text.match}
              hint={text.matchHint}
              value={rule.when.match}
              optional
            />
            <RowField name={`${at}.when.state`} label={text.state} value={rule.when.state} optional />
            <RowField
              name={`${at}.reply`}
              label={text.reply}
              value={rule.reply}
              lines
              className="sm:col-span-2"
            />
            <RowBox name={`${at}.close`} label={text.close} checked={rule.close} />
            <More rule={rule} at={at} />
          </>
        )
      }}
    />
  )
}
