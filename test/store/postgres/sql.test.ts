import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'

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
    const insertions = [...statements.matchAll(/\$\{([^}]*)\}/g)].map(([, inside = '']) => inside)
    expect(insertions.length).to.be.greaterThan(0)
    const own = /^(name|columns|whole|thisDocument|thisUniqueKey|asRead|readVersion\.text|readUniqueKey\.text)$/
    expect(insertions.filter((inside) => !own.test(inside))).to.deep.equal([])
  })
})
