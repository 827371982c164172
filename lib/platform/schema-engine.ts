import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import pg from 'pg'
import { processState } from './process-state.ts'

/** What the package's script exports beside its published types: the two ends of its WebAssembly. */
type Binding = {
  SchemaEngine: typeof SchemaEngine
  __wbg_set_wasm(exports: WebAssembly.Exports): void
}

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>

/** Sends a script as one: PostgreSQL runs it in one transaction, and a `;` inside a function does not cut it in two. */
function keepScriptsWhole(adapter: Adapter): Adapter {
  adapter.executeScript = async (script) => {
    await adapter.underlyingDriver().query(script)
  }
  return adapter
}

class ScriptKeepingAdapterFactory extends PrismaPg {
  override async connect() {
    return keepScriptsWhole(await super.connect())
  }

  override async connectToShadowDb() {
    return keepScriptsWhole(await super.connectToShadowDb())
  }
}

function ignoreEngineLog(): void {}

async function loadBinding(): Promise<Binding> {
  const binding = (await import('@prisma/schema-engine-wasm/schema_engine_bg')) as unknown as Binding
  const file = join(
    dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm')),
    'schema_engine_bg.wasm',
  )
  const source = await WebAssembly.compile(await readFile(file))
  const { exports } = await WebAssembly.instantiate(source, { './schema_engine_bg.js': binding })
  binding.__wbg_set_wasm(exports)
  if (typeof exports.__wbindgen_start === 'function') exports.__wbindgen_start()
  return binding
}

/**
 * Runs `work` with Prisma's schema engine, as WebAssembly, on the database at `databaseUrl`.
 *
 * @param schema path and text of the Prisma schema
 * @param databaseUrl the database that the engine reads and changes
 * @returns what `work` returns; its connections are closed by then
 */
export async function withSchemaEngine<T>(
  schema: { path: string; content: string },
  databaseUrl: string,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  // Its script keeps one instance for the whole process.
  const binding = await processState('schema-engine', loadBinding)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  // An idle connection that the server ends must not end the process; the next query reports it.
  pool.on('error', () => {})
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(new ScriptKeepingAdapterFactory(pool))
    const datamodels: [string, string][] = [[schema.path, schema.content]]
    return await work(await binding.SchemaEngine.new({ datamodels }, ignoreEngineLog, adapter))
  } finally {
    await pool.end()
  }
}
