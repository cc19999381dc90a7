import type {Facets} from '../../store.js'
import {createTable, facetMarks, firstStatements, indexesOf, migrations, type Table, tables} from './schema.js'

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
