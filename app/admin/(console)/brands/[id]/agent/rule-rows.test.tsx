import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { blankCall, blankRule } from './rule-row.ts'
import { RuleRows } from './rule-rows.tsx'

it('the lists in a rule say whose they are', () => {
  const rules = [blankRule, { ...blankRule, call: [blankCall, blankCall] }]
  const page = renderToStaticMarkup(<RuleRows rules={rules} tools={{}} disabled={false} />)
  const legends = [...page.matchAll(/<legend[^>]*>([^<]*)/g)].map(([, legend]) => legend)
  expect(legends).toEqual([
    'Calls of rule 1',
    'What rule 1 remembers',
    'Calls of rule 2',
    'Arguments of call 1',
    'Arguments of call 2',
    'What rule 2 remembers',
  ])
})
