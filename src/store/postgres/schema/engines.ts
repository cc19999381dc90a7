import {compared, facetIndex, firstStatements, migrations, type Table, tables} from './schema.js'

/** Engines that speak PostgreSQL's language; `partitioned` is PostgreSQL itself with its tables divided by hash. */
export const engines = ['postgres', 'partitioned', 'citus', 'yugabyte', 'cockroach'] as const
export type Engine = (typeof engines)[number]

/** Parts of a table. A power of two can be doubled part by part later. */
const partitions = 16

const keyOf = ({key}: Table): string => `PRIMARY KEY (${key.join(', ')})`
const columnsOf = ({columns}: Table): string[] => columns.map(compared)
const create = (table: Table, columns: readonly string[], behind = ''): string =>
  `CREATE TABLE frontdesk.${table.name} (${columns.join(', ')})${behind}`

function partitioned(table: Table): string[] {
  const parts = Array.from(
    {length: partitions},
    (_, at) =>
      `CREATE TABLE frontdesk.${table.name}_p${at} PARTITION OF frontdesk.${table.name} ` +
      `FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${at})`,
  )
  return [create(table, [...columnsOf(table), keyOf(table)], ` PARTITION BY HASH (${table.distribution})`), ...parts]
}

/** `share` lies beside `unique_key`, with which it is read. */
function citus(table: Table): string[] {
  const beside = table.name === 'share' ? ", colocate_with => 'frontdesk.unique_key'" : ", colocate_with => 'none'"
  return [
    create(table, [...columnsOf(table), keyOf(table)]),
    `SELECT create_distributed_table('frontdesk.${table.name}', '${table.distribution}'${beside})`,
  ]
}

/** The first column of a key is hashed; the others are in order behind it. Walks and pages need an order of their own. */
function yugabyte(table: Table): string[] {
  const others = table.key.filter((column) => column !== table.distribution).map((column) => `${column} ASC`)
  const key = `PRIMARY KEY (${table.distribution} HASH, ${others.join(', ')})`
  const walk = 'CREATE INDEX document_walk ON frontdesk.document (project ASC, kind ASC, id ASC)'
  return [create(table, [...columnsOf(table), key]), ...(table.name === 'document' ? [walk] : [])]
}

/** Text without a collation compares by bytes; keys are divided by ranges, and ids are random. */
const cockroach = (table: Table): string[] => [create(table, [...table.columns, keyOf(table)])]

const tablesOf: Record<Engine, (table: Table) => string[]> = {
  postgres: (table) => [create(table, [...columnsOf(table), keyOf(table)])],
  partitioned,
  citus,
  yugabyte,
  cockroach,
}

/**
 * The statements that make the tables on an engine, each without its semicolon. A server that finds them there checks
 * them and makes none. `facets` are the names of derived values, by kind, as the store is opened with.
 */
export function storeSchema(engine: Engine, facets: Readonly<Record<string, Readonly<Record<string, unknown>>>>) {
  const names = [...new Set(Object.values(facets).flatMap((of) => Object.keys(of)))].sort()
  const hashed = (expression: string) => `(${expression}) HASH, project ASC, kind ASC`
  const indexes = names.map((name) => facetIndex(name, engine === 'yugabyte' ? hashed : undefined))
  const derived = Object.entries(facets).flatMap(([kind, of]) => Object.keys(of).map((name) => `facet ${kind}.${name}`))
  const applied = [...migrations, ...indexes].map(({name}) => name)
  const rows = [...applied, ...derived].map((name) => `('${name}')`)
  return [
    ...firstStatements,
    ...tables.flatMap(tablesOf[engine]),
    ...indexes.flatMap(({statements}) => statements),
    `INSERT INTO frontdesk.migration (name) VALUES ${rows.join(', ')} ON CONFLICT (name) DO NOTHING`,
  ]
}
