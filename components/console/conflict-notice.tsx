import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import {
  Cell,
  HeaderCell,
  Table,
  TableBody,
  TableHead,
  TableRegion,
  TableRow,
} from '#components/ui/table.tsx'
import type { FormState } from './form-state.ts'

type Props = {
  conflict: NonNullable<FormState['conflict']>
  message?: string | undefined
  labels?: Record<string, string> | undefined
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/** Somebody else saved first: both versions side by side, and the choice between them. */
export function ConflictNotice({ conflict, message, labels = {}, onKeepMine, onTakeTheirs }: Props) {
  return (
    <Alert
      kind="warning"
      live
      title={message ?? 'Somebody else changed this while you were editing. Nothing was saved yet.'}
      actions={
        <>
          <Button size="small" onClick={onTakeTheirs}>
            Take theirs
          </Button>
          <Button size="small" onClick={onKeepMine}>
            Keep mine
          </Button>
        </>
      }
    >
      <TableRegion label="Both versions">
        <Table>
          <TableHead className="bg-transparent">
            <tr>
              <HeaderCell className="pl-0">Field</HeaderCell>
              <HeaderCell>Yours</HeaderCell>
              <HeaderCell>Theirs</HeaderCell>
            </tr>
          </TableHead>
          <TableBody>
            {conflict.map(({ field, yours, theirs }) => (
              <TableRow key={field} className="hover:bg-transparent">
                <HeaderCell scope="row" className="py-2.5 pl-0 align-top">
                  {labels[field] ?? field}
                </HeaderCell>
                <Cell className="whitespace-pre-wrap break-words">{yours || '(empty)'}</Cell>
                <Cell className="whitespace-pre-wrap break-words">{theirs || '(empty)'}</Cell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableRegion>
    </Alert>
  )
}
