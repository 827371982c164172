import { describe, expect, it } from 'vitest'
import { buildExportResponse, type ExportRow } from './streamed-export.ts'

const columns = ['id', 'text', 'at', 'more']

async function* inBatches(...batches: ExportRow[][]) {
  for (const batch of batches) yield batch
}

const rows: ExportRow[][] = [
  [{ id: 1n.toString(), text: 'a "b",\nc', at: new Date(0), more: { x: [1] } }],
  [],
  [{ id: '2', text: '=HYPERLINK("x")', at: null }],
]

describe('a streamed export', () => {
  it('writes CSV as RFC 4180 has it, with formulas made harmless', async () => {
    const response = buildExportResponse({
      format: 'csv',
      name: 'rows',
      columns,
      batches: inBatches(...rows),
    })
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="rows.csv"')
    expect(await response.text()).toBe(
      'id,text,at,more\r\n1,"a ""b"",\nc",1970-01-01T00:00:00.000Z,"{""x"":[1]}"\r\n2,"\'=HYPERLINK(""x"")",,\r\n',
    )
  })

  it('writes JSON Lines, one row a line', async () => {
    const response = buildExportResponse({
      format: 'jsonl',
      name: 'rows',
      columns,
      batches: inBatches(...rows),
    })
    expect(
      (await response.text())
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { id: '1', text: 'a "b",\nc', at: '1970-01-01T00:00:00.000Z', more: { x: [1] } },
      { id: '2', text: '=HYPERLINK("x")', at: null },
    ])
  })

  it('reads no further than somebody takes it', async () => {
    let asked = 0
    async function* endless() {
      for (;;) {
        asked += 1
        yield [{ id: asked, text: 'x'.repeat(1_000) }]
      }
    }
    const response = buildExportResponse({ format: 'jsonl', name: 'rows', columns, batches: endless() })
    const reader = response.body?.getReader()
    await reader?.read()
    await new Promise((resolve) => setTimeout(resolve, 20))
    await reader?.cancel()
    expect(asked).toBeLessThan(5)
  })

  it('breaks off where its source fails', async () => {
    async function* failing() {
      yield [{ id: 1 }]
      throw new Error('the database is gone')
    }
    const response = buildExportResponse({ format: 'csv', name: 'rows', columns, batches: failing() })
    await expect(response.text()).rejects.toThrow()
  })
})
