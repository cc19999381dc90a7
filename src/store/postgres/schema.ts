/**
 * The tables. They and all statements keep to what PostgreSQL, CockroachDB, YugabyteDB and Citus have in common.
 *
 * `claim` holds a row per claim that is held: with its holder if it is exclusive, without one if documents share it,
 * which then stand in `share`. `tally` counts documents, in parts, so that writers do not queue for one row.
 */

export interface Migration {
  readonly name: string
  readonly statements: readonly string[]
}

const names = 'project text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL'

export const migrations: readonly Migration[] = [
  {
    name: '0001 tables',
    statements: [
      `CREATE TABLE frontdesk.document (${names}, id text COLLATE "C" NOT NULL, version bigint NOT NULL,
        doc jsonb NOT NULL, facets jsonb, claims jsonb, PRIMARY KEY (project, kind, id))`,
      `CREATE TABLE frontdesk.claim (${names}, key text COLLATE "C" NOT NULL, holder text COLLATE "C",
        PRIMARY KEY (project, kind, key))`,
      `CREATE TABLE frontdesk.share (${names}, key text COLLATE "C" NOT NULL, holder text COLLATE "C" NOT NULL,
        PRIMARY KEY (project, kind, key, holder))`,
      `CREATE TABLE frontdesk.tally (${names}, part integer NOT NULL, documents bigint NOT NULL,
        PRIMARY KEY (project, kind, part))`,
    ],
  },
]

/** Characters of a facet's value that its index holds; entries of an index have a greatest length. */
const indexedLength = 200

/** A facet as its index has it. The name comes from the code. */
export const facetExpression = (name: string): string => `left(facets->>'${name}', ${indexedLength})`

/** A value as `facetExpression` gives it. */
export const indexedPart = (value: string): string =>
  value.length <= indexedLength ? value : [...value].slice(0, indexedLength).join('')

/** The index that answers equality on a facet, of whichever kind has it. */
export function facetIndex(name: string): Migration {
  const expression = facetExpression(name)
  const columns = `project, kind, (${expression})`
  return {
    name: `facet ${name}`,
    statements: [
      `CREATE INDEX IF NOT EXISTS document_facet_${name.toLowerCase()} ON frontdesk.document (${columns})
        WHERE ${expression} IS NOT NULL`,
    ],
  }
}
