import canonicalize from 'canonicalize'
import {
  Cell,
  HeaderCell,
  Table,
  TableBody,
  TableHead,
  TableRegion,
  TableRow,
} from '#components/ui/table.tsx'
import { isMap } from '#lib/platform/json-map.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { compareFields, type FieldChange } from '#lib/provisioning/change.ts'
import { texts } from '../texts.ts'

const sortMembers = (value: unknown): unknown => JSON.parse(canonicalize(value) ?? 'null')

/** A value as it is read: text line by line, all else as JSON, of which the order of members tells nothing. */
function show(value: unknown): string {
  if (value === undefined || value === null) return texts.detail.none
  const text = typeof value === 'string' ? value : JSON.stringify(sortMembers(value), null, 2)
  return text.split('\n').map(makeVisible).join('\n')
}

/** Members that differ, each with what it was and became. @param label of the table */
export function FieldChanges({ label, fields }: { label: string; fields: readonly FieldChange[] }) {
  const { field, before: was, after: is } = texts.detail
  return (
    <TableRegion label={label}>
      <Table>
        <TableHead className="bg-transparent">
          <tr>
            <HeaderCell className="pl-0">{field}</HeaderCell>
            <HeaderCell>{was}</HeaderCell>
            <HeaderCell>{is}</HeaderCell>
          </tr>
        </TableHead>
        <TableBody>
          {fields.map((each) => (
            <TableRow key={each.field} className="hover:bg-transparent">
              <HeaderCell scope="row" className="break-words py-2.5 pl-0 align-top">
                {makeVisible(each.field)}
              </HeaderCell>
              <Cell className="whitespace-pre-wrap break-words align-top">{show(each.before)}</Cell>
              <Cell className="whitespace-pre-wrap break-words align-top">{show(each.after)}</Cell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableRegion>
  )
}

/** What a thing was and became, down to the fields that differ; of something new or gone, all of them. */
export function Difference({ before, after }: { before: unknown; after: unknown }) {
  const whole = isMap(before) || isMap(after)
  const fields = compareFields(whole ? (before ?? {}) : before, whole ? (after ?? {}) : after)
  if (fields.length === 0) return <p className="text-faint text-sm">{texts.detail.nothing}</p>
  return <FieldChanges label={texts.detail.changed} fields={fields} />
}
