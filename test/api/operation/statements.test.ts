import {expect} from 'chai'
import pg from 'pg'
import {storeSchema, tables} from '../../../src/store/postgres/schema/schema.js'
import * as statements from '../../../src/store/postgres/schema/statements.js'
import {rounds} from '../../rounds.js'
import {facets} from '../../store/contract.js'
import {type Cluster, startCluster} from '../../store/postgres/cluster.js'
import {type Desk, openDesk} from '../harness.js'
import {beside, everyOperation, walk} from './walk.js'

/** What a planner that distributes rows refuses, where it says so, and a statement that it would refuse. */
interface Rule {
  readonly what: string
  readonly source: string
  readonly pattern: RegExp
  readonly refused: string
}

const workarounds = 'Citus docs › SQL Support and Workarounds'
const lock = 'FOR (?:UPDATE|SHARE|NO KEY UPDATE|KEY SHARE)'

const rules: readonly Rule[] = [
  {
    what: 'subqueries over functions that return rows',
    source: 'Citus, query_pushdown_planning.c, DeferErrorIfFromClauseRecurs',
    pattern: /\(\s*SELECT\b(?:(?!\bFROM\b)[\s\S])*\bFROM\s+(?:LATERAL\s+)?(?:pg_catalog\.)?(?!frontdesk\b)\w+\s*\(/i,
    refused: `SELECT id FROM frontdesk.document WHERE EXISTS (SELECT 1 FROM jsonb_array_elements(doc->'x') AS e(y) WHERE y = $1)`,
  },
  {
    what: 'subqueries that are correlated by anything but the distribution column',
    source: workarounds,
    // Keys and what shares them lie together, by key as by project.
    pattern: /\b(?:EXISTS|IN|ANY|ALL)\s*\(\s*SELECT\b(?![^)]*\bkey = (?:\w+\.key|\$\d))/i,
    refused: 'SELECT id FROM frontdesk.document d WHERE EXISTS (SELECT 1 FROM frontdesk.share s WHERE s.holder = d.id)',
  },
  {
    what: 'locks of rows on several shards',
    source: workarounds,
    pattern: new RegExp(
      `FROM frontdesk\\.(?!migration)(?:(?!AND (?:id|key) = \\$)[\\s\\S])*${lock}|(?:ORDER BY|LIMIT)[\\s\\S]*${lock}`,
    ),
    refused: 'SELECT id FROM frontdesk.document WHERE project = $1 AND kind = $2 FOR UPDATE',
  },
  {
    what: 'statements in WITH that change rows',
    source: workarounds,
    pattern: /\bWITH\b[\s\S]*\(\s*(?:INSERT|UPDATE|DELETE|MERGE)\b/i,
    refused: 'WITH gone AS (DELETE FROM frontdesk.document WHERE id = $1 RETURNING id) SELECT * FROM gone',
  },
  {
    what: 'recursion, samples, grouping sets and MERGE',
    source: workarounds,
    pattern: /\bWITH RECURSIVE\b|\bTABLESAMPLE\b|\bGROUPING SETS\b|\bROLLUP\b|\bCUBE\b|\bMERGE INTO\b/i,
    refused: 'SELECT id FROM frontdesk.document TABLESAMPLE system (1)',
  },
  {
    what: 'rows inserted from a subquery over a function',
    source: workarounds,
    // The names of migrations lie on the coordinator.
    pattern:
      /INSERT INTO (?!frontdesk\.migration)[\s\S]*SELECT[\s\S]*\b(?:unnest|jsonb_to_recordset|jsonb_array_elements\w*|generate_series)\s*\(/i,
    refused: 'INSERT INTO frontdesk.share (holder) SELECT h FROM unnest($1::text[]) AS u(h)',
  },
  {
    what: 'volatile functions in changes',
    source: workarounds,
    pattern: /^\s*(?:UPDATE|DELETE)[\s\S]*\b(?:random|clock_timestamp|gen_random_uuid|nextval|timeofday)\s*\(/i,
    refused: 'UPDATE frontdesk.document SET version = random() WHERE id = $1',
  },
  {
    what: 'another value of the column by which rows are distributed',
    source: 'Citus, multi_router_planner.c: modifying the partition value of rows is not allowed',
    pattern: /UPDATE[\s\S]*\bSET\b(?:(?!\bWHERE\b)[\s\S])*\b(?:project|id|key|part)\s*=/i,
    refused: 'UPDATE frontdesk.document SET version = $1, id = $2 WHERE id = $3',
  },
  {
    what: 'constraints and indexes that are unique across shards, and foreign keys',
    source: 'Citus docs › create_distributed_table: unique constraints include the distribution column',
    pattern: /\bUNIQUE\b|\bEXCLUDE\b|\bREFERENCES\b/i,
    refused: 'CREATE UNIQUE INDEX ON frontdesk.document (version)',
  },
]

const broken = (text: string): string[] => rules.flatMap(({what, pattern}) => (pattern.test(text) ? [what] : []))

/** Answers of a cluster that spreads documents by id, to a store that asks how its rows lie. */
const asCluster: readonly [string, string][] = [
  ["extname = 'citus'", "SELECT '1', 'local'"],
  ['FROM citus_tables', "SELECT 'id'"],
]

/** Collects the texts that every connection of this process sends, as to a cluster. */
function recording(): {readonly texts: ReadonlySet<string>; stop(): void} {
  const texts = new Set<string>()
  const {query} = pg.Client.prototype
  // biome-ignore lint/suspicious/noExplicitAny: it has seven signatures
  pg.Client.prototype.query = function recorded(this: pg.Client, ...given: any[]): any {
    const [config, ...others] = given
    const text: string = typeof config === 'string' ? config : config.text
    texts.add(text)
    const answer = asCluster.find(([asked]) => text.includes(asked))?.[1]
    const form: object = typeof config === 'string' ? {} : Object.getPrototypeOf(config)
    const sent = answer === undefined ? config : Object.assign(Object.create(form), config, {text: answer})
    return (query as (...all: unknown[]) => unknown).call(this, sent, ...others)
  } as typeof query
  return {
    texts,
    stop: () => {
      pg.Client.prototype.query = query
    },
  }
}

describe('store · what PostgreSQL is asked beside a planner that distributes rows', () => {
  let cluster: Cluster | undefined
  const desks: Desk[] = []
  before(async function () {
    cluster = await startCluster()
    if (!cluster) this.skip()
  })
  after(async () => {
    for (const {runtime} of desks) await runtime.state.close()
    await cluster?.stop()
  })

  const opened = async (): Promise<Desk> => {
    const desk = await openDesk({seed: true, storeUrl: (await cluster?.database(`walk_${desks.length}`)) ?? ''})
    desks.push(desk)
    return desk
  }

  for (const {what, source, refused} of rules) {
    it(`knows ${what} (${source})`, () => expect(broken(refused)).to.include(what))
  }

  it('has the column by which rows are distributed in every primary key', () => {
    for (const {name, key, distribution} of tables) {
      expect(key, name).to.include.members(['project', distribution])
    }
  })

  it('is nothing that such a planner refuses, in any operation', async () => {
    const {texts, stop} = recording()
    try {
      await walk(async () => [await opened()], [...(rounds(0, 1) === 0 ? [] : everyOperation), ...beside])
    } finally {
      stop()
    }
    const known = Object.values(statements).flatMap((value) => {
      if (typeof value !== 'object') return []
      return 'one' in value ? [value.one.text] : [value.text]
    })
    const schema = (['postgres', 'citus', 'citus-by-id'] as const).flatMap((engine) => storeSchema(engine, facets))
    const all = new Set([...texts, ...known, ...schema].filter((text) => text.includes('frontdesk.')))
    expect(texts.size).to.be.greaterThan(rounds(30, 60))
    expect([...all].flatMap((text) => broken(text).map((what) => `${what}: ${text}`))).to.deep.equal([])
  })
})
