'use client'

import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx'
import { RowField } from '../../row-field.tsx'
import { RowList } from '../../row-list.tsx'
import { texts } from '../../texts.ts'

/** A scope with what hangs on it: `grants` as it is shown, '0' for none. */
export type ScopeRow = { id: string; description: string; grants: string; tools: number }

const blank: ScopeRow = { id: '', description: '', grants: '0', tools: 0 }
const { fields, login } = texts

type RemovalProps = { scope: ScopeRow; place: number; onRemove: () => void }

function Removal({ scope: { id, grants }, place, onRemove }: RemovalProps) {
  return (
    <ConfirmDialog
      title={login.removeTitle(id)}
      description={login.removeText(grants)}
      confirmLabel={login.removeConfirm}
      onConfirm={onRemove}
      trigger={
        <Button variant="ghost" size="icon" aria-label={texts.rows.remove('scope', place)}>
          <Trash2 aria-hidden />
        </Button>
      }
    />
  )
}

/** The scopes of a Brand, in the order in which Users see them. */
export function ScopeRows({ scopes, disabled }: { scopes: readonly ScopeRow[]; disabled: boolean }) {
  const [removing, setRemoving] = useState<string[]>([])
  return (
    <>
      {removing.map((id) => (
        <input key={id} type="hidden" name="removing" value={id} />
      ))}
      <RowList
        noun="scope"
        initial={scopes.length > 0 ? scopes : [blank]}
        blank={blank}
        disabled={disabled}
        removal={(scope, index, remove) => {
          if (scope.grants === '0') return undefined
          const confirmed = () => {
            setRemoving((before) => [...before, scope.id])
            remove()
          }
          return <Removal scope={scope} place={index + 1} onRemove={confirmed} />
        }}
        fields={(scope, index) => {
          const used = login.inUse(scope.grants, scope.tools)
          const at = `delegation.scopes[${index}]`
          return (
            <>
              <RowField
                name={`${at}.id`}
                label={fields.scopeId}
                hint={used || fields.scopeIdHint}
                value={scope.id}
                readOnly={disabled || used !== ''}
              />
              <RowField
                name={`${at}.description`}
                label={fields.scopeDescription}
                hint={fields.scopeDescriptionHint}
                value={scope.description}
                readOnly={disabled}
              />
            </>
          )
        }}
      />
    </>
  )
}
