import type { RowSum } from '../../../folded-row.tsx'
import { texts } from '../texts.ts'
import type { ToolRow } from './blank-tool.ts'

const { sum: text } = texts.tools

/** One line for a tool: its name, its request, and whom it is for. */
export function sumTool({ name, scope, request }: ToolRow): RowSum {
  return {
    title: name || text.new,
    notes: [
      ...(request.url === '' ? [] : [`${request.method} ${request.url}`]),
      scope === '' ? text.everybody : text.needs(scope),
    ],
  }
}
