import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import pg from 'pg'
import { processState } from './process-state.ts'

/** What the package's script exports beside its published types: the two ends of its WebAssembly. */
type Binding = WebAssembly.ModuleImports & {
  SchemaEngine: typeof SchemaEngine
  __wbg_set_wasm(exports: WebAssembly.Exports): void
}

/** PostgreSQL's type `"char"`, one byte, which its catalogs use and the adapter refuses; and text, which it takes. */
const ONE_BYTE_CHAR = 18
const TEXT = 25

/** The pool of one engine. It presents `"char"` as text to the adapter, and remembers where it did. */
class CatalogPool extends pg.Pool {
  /** By a result's rows: the positions of its `"char"` columns. */
  readonly charColumns = new WeakMap<unknown[], number[]>()

  constructor(connectionString: string) {
    super({ connectionString, max: 2 })
    // A connection that the server ends while idle must not end the process; the next query reports it.
    this.on('error', () => {})
    const query = this.query.bind(this) as (...values: unknown[]) => Promise<pg.QueryResult>
    Object.assign(this, {
      query: async (...values: unknown[]) => this.#presentChars(await query(...values)),
    })
  }

  #presentChars(result: pg.QueryResult): pg.QueryResult {
    // A script of several statements has a list of results.
    const columns = (result.fields ?? []).flatMap((field, index) =>
      field.dataTypeID === ONE_BYTE_CHAR ? [index] : [],
    )
    if (columns.length > 0) {
      result.fields = result.fields.map((field) =>
        field.dataTypeID === ONE_BYTE_CHAR ? { ...field, dataTypeID: TEXT } : field,
      )
      this.charColumns.set(result.rows, columns)
    }
    return result
  }
}

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>

/**
 * Lets the schema engine use the adapter: `"char"` columns are characters to it, and a script stays whole. PostgreSQL then
 * runs the script in one transaction, and a `;` inside a function does not cut it in two.
 */
function adaptToEngine(adapter: Adapter, pool: CatalogPool): Adapter {
  const queryRaw = adapter.queryRaw.bind(adapter)
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query)
    for (const column of pool.charColumns.get(result.rows) ?? []) {
      result.columnTypes[column] = ColumnTypeEnum.Character
    }
    return result
  }
  adapter.executeScript = async (script) => {
    await pool.query(script)
  }
  return adapter
}

class EngineAdapterFactory extends PrismaPg {
  readonly #pool: CatalogPool

  constructor(pool: CatalogPool) {
    super(pool)
    this.#pool = pool
  }

  override async connect() {
    return adaptToEngine(await super.connect(), this.#pool)
  }

  /** An empty database of its own, in which the engine replays the migrations. */
  override async connectToShadowDb() {
    const database = `shadow_${crypto.randomUUID()}`
    await this.#pool.query(`CREATE DATABASE "${database}" TEMPLATE template0`)
    const url = new URL(this.#pool.options.connectionString ?? '')
    url.pathname = `/${database}`
    const pool = new CatalogPool(url.href)
    const adapter = adaptToEngine(await new PrismaPg(pool).connect(), pool)
    adapter.dispose = async () => {
      await pool.end()
      await this.#pool.query(`DROP DATABASE IF EXISTS "${database}"`)
    }
    return adapter
  }
}

/** The engine leaves its time limits running; they must not keep the process from ending. */
function releaseTimers(binding: Binding): WebAssembly.ModuleImports {
  const timers = Object.keys(binding).filter((name) => name.startsWith('__wbg_setTimeout_'))
  const release = (callback: () => void, delay: number) => setTimeout(callback, delay).unref()
  return { ...binding, ...Object.fromEntries(timers.map((name) => [name, release])) }
}

async function loadBinding(): Promise<Binding> {
  const binding = (await import('@prisma/schema-engine-wasm/schema_engine_bg')) as unknown as Binding
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm')
  const source = await WebAssembly.compile(await readFile(join(dirname(entry), 'schema_engine_bg.wasm')))
  const { exports } = await WebAssembly.instantiate(source, {
    './schema_engine_bg.js': releaseTimers(binding),
  })
  binding.__wbg_set_wasm(exports)
  if (typeof exports.__wbindgen_start === 'function') exports.__wbindgen_start()
  return binding
}

function ignoreEngineLog(): void {}

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
  // The package's script keeps one instance for the whole process.
  const binding = await processState('schema-engine', loadBinding)
  const pool = new CatalogPool(databaseUrl)
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(new EngineAdapterFactory(pool))
    const datamodels: [string, string][] = [[schema.path, schema.content]]
    return await work(await binding.SchemaEngine.new({ datamodels }, ignoreEngineLog, adapter))
  } finally {
    await pool.end()
  }
}
