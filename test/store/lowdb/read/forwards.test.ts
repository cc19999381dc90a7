import {openSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {crc32} from 'node:zlib'
import {expect} from 'chai'
import type {Predicate, Scalar} from '../../../../src/query/ast.js'
import {DataFile} from '../../../../src/store/lowdb/directory/data-file.js'
import {Documents} from '../../../../src/store/lowdb/directory/documents.js'
import {pooledFiles} from '../../../../src/store/lowdb/file/files.js'
import {openStore} from '../../../../src/store/open.js'
import type {Document} from '../../../../src/store/store.js'
import {newDirectory, removeDirectories} from '../../directory.js'

interface Person extends Document {
  readonly name: string
  readonly town?: string
}

const compare = (name: string, value: Scalar): Predicate => ({
  ...{op: 'compare', comparison: '=', value, field: {path: [name], type: 'string'}},
})
const both = (op: 'and' | 'or', ...terms: Predicate[]): Predicate => ({op, terms})

describe('lowdb · a scan forwards', () => {
  after(removeDirectories)

  it('finds what matches in every piece of a file, among replaced and removed documents, whatever was looked for before', async () => {
    const store = await openStore({dir: newDirectory(), facets: {}, writer: 'server'})
    const text = (at: number): string => 'x'.repeat((at * 7919) % 700)
    const people = new Map<string, Person>()
    const write = async (all: readonly Person[]) => {
      await store.commit(
        'shop',
        all.map((doc) => ({kind: 'people', expect: people.get(doc.id)?.version ?? 0, doc})),
      )
      for (const one of all) people.set(one.id, one)
    }
    const made = (at: number, version: number): Person =>
      ({
        id: `p${(at * 31) % 5_000}`,
        version,
        name: `n${at % 611}`,
        ...(at % 97 ? {town: `t${at % 53} "é"`} : {}),
        text: text(at),
      }) as Person
    for (let at = 0; at < 5_000; at += 500) await write(Array.from({length: 500}, (_, of) => made(at + of, 1)))
    await write(Array.from({length: 400}, (_, at) => made(at * 11, 2)))
    const removed = [...people.keys()].slice(0, 50)
    await store.commit(
      'shop',
      removed.map((id) => ({kind: 'people', expect: people.get(id)?.version ?? 0, remove: id})),
    )
    for (const id of removed) people.delete(id)
    const wanted: readonly (readonly [Predicate, (one: Person) => boolean])[] = [
      [compare('name', 'n17'), ({name}) => name === 'n17'],
      [compare('name', 'nobody'), () => false],
      [compare('town', 't5 "é"'), ({town}) => town === 't5 "é"'],
      [
        both('or', compare('name', 'n600'), compare('town', 't52 "é"')),
        ({name, town}) => name === 'n600' || town === 't52 "é"',
      ],
      [
        both('and', compare('name', 'n5'), compare('town', 't5 "é"')),
        ({name, town}) => name === 'n5' && town === 't5 "é"',
      ],
      [{op: 'defined', negated: true, field: {path: ['town'], type: 'string'}}, ({town}) => town === undefined],
    ]
    const found = async (where: Predicate) => {
      const page = {where, limit: 5_000, offset: 0, count: {cap: 9_999}}
      const {results, total} = await store.query('shop', 'people', page)
      return {ids: results.map(({id}) => id), total}
    }
    const expected = (matches: (one: Person) => boolean) => {
      const ids = [...people.values()].filter(matches).map(({id}) => id)
      return {ids: ids.sort(), total: ids.length}
    }
    for (const [where, matches] of [...wanted, ...wanted]) {
      expect(await found(where), JSON.stringify(where)).to.deep.equal(expected(matches))
    }
    // Two at once share the pieces of the file.
    expect(await Promise.all(wanted.map(([where]) => found(where)))).to.deep.equal(
      wanted.map(([, matches]) => expected(matches)),
    )
    await store.close()
  })

  it('takes no place of another scan for its own', () => {
    const path = join(newDirectory(), 'documents.1.jsonl')
    const lines = ['"ada" 1', '"bob" 2', '"ada" 3']
    writeFileSync(path, lines.join(''))
    const file = new DataFile(pooledFiles, {number: 1, path, fd: openSync(path, 'r')}, new Documents(0, 0))
    const [ada, bob] = [[['"ada"']], [['"bob"']]]
    file.line(0, 7, crc32('"ada" 1'))
    expect([7, 14].map((at) => file.lacks(at, 7, ada))).to.deep.equal([true, false])
    expect([0, 7, 14].map((at) => file.lacks(at, 7, bob))).to.deep.equal([true, false, true])
    expect([file.lacks(7, 7, ada), file.lacks(7, 7, bob)]).to.deep.equal([true, false])
    file.retire()
  })
})
