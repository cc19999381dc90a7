import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {toSql} from '../../../src/query/to-sql.js'
import * as made from '../../../src/store/postgres/schema/statements.js'

const folder = 'src/store/postgres'

/** What at least one of CockroachDB, YugabyteDB and Citus does not have, or has only in a way of its own. */
const forbidden: readonly [string, RegExp][] = [
  ['advisory locks', /advisory/i],
  ['jsonpath', /jsonb_path|::jsonpath|@\?|@@/],
  ['GIN', /\bgin\b/i],
  ['serial', /\b(big)?serial\b|nextval|GENERATED (ALWAYS|BY DEFAULT)/i],
  ['deferrable constraints', /deferrable/i],
  ['data-modifying WITH', /\bWITH\b[^'"`]*\b(INSERT|UPDATE|DELETE)\b/],
  ['triggers and procedures', /\bTRIGGER\b|\bFUNCTION\b.*\bLANGUAGE\b|\bDO \$/],
  ['LISTEN and NOTIFY', /\b(LISTEN|NOTIFY)\b/],
  ['system columns', /\b(ctid|xmin|xmax|tableoid)\b/],
  ['COPY', /\bCOPY\b/],
  ['temporary tables', /\bTEMP(ORARY)?\b/],
  ['foreign keys', /\bREFERENCES\b/],
  ['SKIP LOCKED', /\bSKIP LOCKED\b/],
]

describe('store · SQL of PostgreSQL', () => {
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)

  for (const [what, pattern] of forbidden) {
    it(`does without ${what}`, () => {
      for (const [name, text] of files) expect(text.match(pattern)?.[0], name).to.equal(undefined)
    })
  }

  it('puts no value into a text', () => {
    const statements = files.find(([name]) => name.endsWith('statements.ts'))?.[1] ?? ''
    const written = statements.slice(statements.indexOf('// Everything is looked up'))
    const insertions = [...written.matchAll(/\$\{([^}]*)\}/g)].map(([, inside = '']) => inside)
    expect(insertions.length).to.be.greaterThan(0)
    const own =
      /^(whole(UnlessLong)?|isLong|thisDocument|thisUniqueKey|thisHolder|asRead|table|(readVersion|readUniqueKey|readSharers)\.text)$/
    expect(insertions.filter((inside) => !own.test(inside))).to.deep.equal([])
  })

  /** What an engine that distributes rows refuses is not words but shapes. */
  const shapes: readonly [string, RegExp][] = [
    ['inserts that read arrays', /INSERT[\s\S]*SELECT[\s\S]*unnest/i],
    ['functions that return rows', /\bunnest\(|jsonb_to_recordset|generate_series/i],
    ['functions in FROM that are not immutable', /jsonb_build_(array|object)/i],
    ['locks of rows that are looked for', /(ORDER BY|LIMIT)[\s\S]*FOR (UPDATE|SHARE|NO KEY UPDATE|KEY SHARE)/i],
    [
      'locks without the full key',
      /FROM frontdesk\.(?!migration)(?:(?!AND (id|key) = \$)[\s\S])*FOR (UPDATE|SHARE|NO KEY UPDATE|KEY SHARE)/,
    ],
  ]
  const texts = Object.entries(made).flatMap(([name, value]): [string, string][] => {
    if (typeof value !== 'object') return []
    return 'one' in value ? [[name, value.one.text]] : [[name, value.text]]
  })

  it('keeps to the shapes that an engine with several nodes can route', () => {
    expect(texts.length).to.be.greaterThan(20)
    for (const [name, text] of texts)
      for (const [what, pattern] of shapes) expect(pattern.test(text), `${name}: ${what}`).to.equal(false)
    const inArrays = toSql({op: 'nested', path: ['addresses'], term: {op: 'and', terms: []}}).text
    expect(inArrays).to.equal('jsonb_path_exists(doc, $1::jsonpath, $2::jsonb)')
  })
})
