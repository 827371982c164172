import { vi } from 'vitest'
import { pool } from '#lib/platform/database.ts'

/** A statement as the database was asked it. `name`: of a prepared one. */
export type AskedStatement = { name?: string; text: string; values?: unknown[] }

/** Does some work. @returns its result, and the statements that the process's pool was asked meanwhile, in their order */
export async function statementsOf<T>(
  work: () => Promise<T>,
): Promise<{ result: T; statements: AskedStatement[] }> {
  const asked = vi.spyOn(pool(), 'query')
  try {
    const result = await work()
    const calls = asked.mock.calls as unknown as [AskedStatement | string, unknown[]?][]
    const statements = calls.map(([text, values]) =>
      typeof text === 'string' ? { text, values: values ?? [] } : text,
    )
    return { result, statements }
  } finally {
    asked.mockRestore()
  }
}
