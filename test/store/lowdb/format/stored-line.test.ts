import {expect} from 'chai'
import fc from 'fast-check'
import {LazyEntry} from '../../../../src/store/lowdb/format/entry.js'
import {segmentLineHead, withChecksum} from '../../../../src/store/lowdb/format/record.js'
import {entryOfLine} from '../../../../src/store/lowdb/format/stored-line.js'

/** What a line holds. */
interface Held {
  readonly id: string
  readonly version: number
  readonly keys: readonly string[]
  readonly facets: readonly (string | null)[]
  readonly name: string
}

const documentOf = ({id, version, name}: Held) => ({id, version, name})

function lineOf(held: Held, lineStart = '{"r":2,'): Buffer {
  const {id, version, keys, facets} = held
  const uniqueKeys = keys.map((key, at) => ({key, ...(at % 2 === 1 ? {shared: true as const} : {})}))
  const json = JSON.stringify(version === 0 ? null : documentOf(held))
  const head = segmentLineHead(new LazyEntry({id, version, uniqueKeys, facets}, undefined), facets)
  return Buffer.from(withChecksum(`${head.replace('{"r":2,', lineStart)}${json}}`))
}

const read = (line: Buffer) => entryOfLine(line, 0, line.length)

/** Texts with quotes, escapes, letters of more than one byte, and what stands between the parts of a line. */
const texts = fc.oneof(
  fc.string({unit: 'grapheme', maxLength: 12}),
  fc.constantFrom('","v":', ',"doc":', '\\","c":[', '"=key:a"', 'Zoë', '€', '\u2028', '\\', ''),
)

const helds: fc.Arbitrary<Held> = fc.record({
  id: fc.oneof(fc.uuid(), texts),
  version: fc.nat({max: 2 ** 40}),
  keys: fc.array(texts, {maxLength: 3}),
  facets: fc.array(fc.option(texts), {maxLength: 3}),
  name: texts,
})

const ada: Held = {id: 'ada', version: 7, keys: ['email:*:ada@example.com'], facets: ['Zoë', null], name: 'Zoë'}

/** As this release writes lines, and as the first one did. */
const lineStarts = ['{"r":2,', '{']

describe('store · lines of segments', () => {
  for (const lineStart of lineStarts) {
    it(`has what was written to a line that begins with ${lineStart}`, () => {
      fc.assert(
        fc.property(helds, (held) => {
          const entry = read(lineOf(held, lineStart))
          const {id, version, facets, uniqueKeys} = entry ?? expect.fail('unread')
          expect({id, version, facets, keys: uniqueKeys.map(({key}) => key)}).to.deep.equal({
            id: held.id,
            version: held.version,
            facets: held.facets,
            keys: held.keys,
          })
          expect(uniqueKeys.map(({shared}) => shared ?? false)).to.deep.equal(held.keys.map((_, at) => at % 2 === 1))
          expect(entry?.json()).to.equal(version === 0 ? undefined : JSON.stringify(documentOf(held)))
          if (version === 0) return
          expect(entry?.doc).to.deep.equal(documentOf(held))
          expect(Buffer.from(entry?.text().bytes ?? '', 'latin1').toString()).to.equal(entry?.json())
        }),
        {numRuns: 200},
      )
    })

    it(`keeps it when the bytes of a line that begins with ${lineStart} are read over`, () => {
      const line = lineOf(ada, lineStart)
      const entry = read(line)
      line.fill('x')
      expect(entry?.doc).to.deep.equal(documentOf(ada))
      expect([entry?.id, entry?.facets, entry?.uniqueKeys]).to.deep.equal([
        'ada',
        ada.facets,
        [{key: 'email:*:ada@example.com'}],
      ])
    })

    it(`does not believe a line that begins with ${lineStart} and has another bit anywhere`, () => {
      const line = lineOf(ada, lineStart)
      for (let at = 0; at < line.length * 8; at += 1) {
        const damaged = Buffer.from(line)
        damaged[at >> 3] = (damaged[at >> 3] as number) ^ (1 << (at & 7))
        expect(read(damaged), `bit ${at}`).to.equal(undefined)
      }
      expect(read(line.subarray(0, -1))).to.equal(undefined)
      expect(read(Buffer.alloc(0))).to.equal(undefined)
    })
  }

  it('refuses what a newer release wrote', () => {
    expect(() => read(lineOf(ada, '{"r":3,'))).to.throw('a newer release')
  })

  it('finds a line among others', () => {
    const line = lineOf(ada)
    const among = Buffer.concat([Buffer.from('before\n'), line, Buffer.from('\nbehind')])
    expect(entryOfLine(among, 7, 7 + line.length)?.doc).to.deep.equal(documentOf(ada))
    expect(entryOfLine(among, 6, 7 + line.length)).to.equal(undefined)
  })
})
