import type {Facets} from '../../store.js'

/**
 * The tables. They and all statements keep to what PostgreSQL, CockroachDB, YugabyteDB and Citus have in common.
 *
 * `unique_key` holds a row per unique key that is held: with its holder if it is exclusive, without one if documents share
 * it, which then stand in `share`. `tally` counts documents, in parts, so that writers do not queue for one row.
 */

export interface Migration {
  readonly name: string
  readonly statements: readonly string[]
}

interface Table {
  readonly name: string
  /** Columns with their types. Text compares by bytes. */
  readonly columns: readonly string[]
  /** The primary key, which is the only unique constraint. */
  readonly key: readonly string[]
  /** The column by whose hash rows are distributed, on engines that do so. Part of the key and immutable. */
  readonly distribution: string
}

/** A table whose rows lie below a project and a kind, by the columns of `key`; they are distributed by the first of these. */
const table = (name: string, columns: readonly string[], ...key: readonly [string, ...string[]]): Table => ({
  name,
  columns: ['project text NOT NULL', 'kind text NOT NULL', ...columns],
  key: ['project', 'kind', ...key],
  distribution: key[0],
})

const content = ['version bigint NOT NULL', 'doc jsonb NOT NULL', 'facets jsonb', 'unique_keys jsonb', 'body text']

export const tables = [
  // `body` is the document as written; `doc`, which predicates read, does not preserve the order of members.
  table('document', ['id text NOT NULL', ...content], 'id'),
  table('unique_key', ['key text NOT NULL', 'holder text'], 'key'),
  table('share', ['key text NOT NULL', 'holder text NOT NULL'], 'key', 'holder'),
  table('tally', ['part integer NOT NULL', 'documents bigint NOT NULL'], 'part'),
  // The texts by which documents are searched. Narrow, since a search reads all of a kind.
  table('search', ['id text NOT NULL', 'words text NOT NULL'], 'id'),
]

/** Text compares by bytes, whatever the database's own order is. */
const compared = (column: string): string => column.replace(/^(?!body)(\w+ text)/, '$1 COLLATE "C"')

const createTable = ({name, columns, key}: Table, behind = ''): string =>
  `CREATE TABLE IF NOT EXISTS frontdesk.${name} (${columns.map(compared).join(', ')}, PRIMARY KEY (${key.join(', ')}))${behind}`

/** The migrations of releases, in order. Tables created by an administrator are used as they are. */
export const migrations: readonly Migration[] = [
  {name: '0001 tables', statements: tables.map((table) => createTable(table))},
]

/** The statements before all migrations: the schema, and the table of applied migrations. */
export const firstStatements = [
  'CREATE SCHEMA IF NOT EXISTS frontdesk',
  'CREATE TABLE IF NOT EXISTS frontdesk.migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  // A migration locks this row.
  "INSERT INTO frontdesk.migration (name) VALUES ('0000 lock') ON CONFLICT (name) DO NOTHING",
]

/** Length of the prefix of a facet's value in its index, as index entries have a maximum length. */
const indexedLength = 200

/** A facet as its index has it. The name comes from the code. */
export const facetExpression = (name: string): string => `left(facets->>'${name}', ${indexedLength})`

/** A value as `facetExpression` gives it. */
export const indexedPart = (value: string): string =>
  value.length <= indexedLength ? value : [...value].slice(0, indexedLength).join('')

const plainName = /^[A-Za-z][A-Za-z0-9_]{0,40}$/

const index = (name: string, on: string): Migration => ({name, statements: [`CREATE INDEX IF NOT EXISTS ${on}`]})

function facetIndex(name: string): Migration {
  if (!plainName.test(name)) throw new Error(`${name} is not a name for a facet`)
  const [place, of] = [`document_facet_${name.toLowerCase()} ON frontdesk.document`, facetExpression(name)]
  return index(`facet ${name}`, `${place} (project, kind, (${of})) WHERE ${of} IS NOT NULL`)
}

/** The indexes of all facets, and that of unique keys without a holder, which each erasure looks through. */
export const indexesOf = (facets: Facets): Migration[] => [
  ...[...new Set(Object.values(facets).flatMap((of) => Object.keys(of)))].sort().map(facetIndex),
  index('index unshared', 'unique_key_unshared ON frontdesk.unique_key (project, kind, key) WHERE holder IS NULL'),
]

/** The names under which it is noted that all documents of a kind have their facets. */
export const facetMarks = (kind: string, of: Facets[string] = {}): string[] =>
  Object.entries(of).map(([name, {version = 1}]) => `facet ${kind}.${name}${version === 1 ? '' : ` ${version}`}`)

/**
 * Engines that speak PostgreSQL's language: `partitioned` is PostgreSQL itself with its tables divided by hash; `citus`
 * spreads them over nodes by project, `citus-by-id` by the keys of rows, for one project that is larger than a node.
 */
export const engines = ['postgres', 'partitioned', 'citus', 'citus-by-id'] as const
export type Engine = (typeof engines)[number]

/** Parts of a table. A power of two can be doubled part by part later. */
const partitions = 16

function partitioned(table: Table): string[] {
  const parts = Array.from(
    {length: partitions},
    (_, at) =>
      `CREATE TABLE frontdesk.${table.name}_p${at} PARTITION OF frontdesk.${table.name} ` +
      `FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${at})`,
  )
  return [createTable(table, ` PARTITION BY HASH (${table.distribution})`), ...parts]
}

const distributed = (table: Table, column: string, beside: string): string[] => [
  createTable(table),
  `SELECT create_distributed_table('frontdesk.${table.name}', '${column}', colocate_with => '${beside}')`,
]

const tablesOf: Record<Engine, (table: Table) => string[]> = {
  postgres: (table) => [createTable(table)],
  partitioned,
  // What belongs to a project lies on one node, so that a commit ends there.
  citus: (table) => distributed(table, 'project', table.name === 'document' ? 'none' : 'frontdesk.document'),
  // `share` lies beside `unique_key`, with which it is read.
  'citus-by-id': (table) =>
    distributed(table, table.distribution, table.name === 'share' ? 'frontdesk.unique_key' : 'none'),
}

const bounded = "-- Then: ALTER DATABASE frontdesk SET citus.propagate_set_commands = 'local'"

/** What an administrator sets besides, as comments of SQL. */
export const settingsOf: Record<Engine, readonly string[]> = {
  ...{postgres: [], partitioned: [], citus: [bounded]},
  'citus-by-id': [bounded, "-- and:  ALTER SYSTEM SET citus.recover_2pc_interval = '5s'"],
}

/**
 * The statements that make the tables on an engine, each without its semicolon. A server that finds them there checks
 * them and makes none. `facets` are the names of derived values, by kind, as the store is opened with.
 */
export function storeSchema(engine: Engine, facets: Facets): string[] {
  const indexes = indexesOf(facets)
  const marks = Object.entries(facets).flatMap(([kind, of]) => facetMarks(kind, of))
  const rows = [...[...migrations, ...indexes].map(({name}) => name), ...marks].map((name) => `('${name}')`)
  return [
    ...firstStatements,
    ...tables.flatMap(tablesOf[engine]),
    ...indexes.flatMap(({statements}) => statements),
    `INSERT INTO frontdesk.migration (name) VALUES ${rows.join(', ')} ON CONFLICT (name) DO NOTHING`,
  ]
}
