import {expect} from 'chai'
import fc from 'fast-check'
import {JsonText} from '../../../../src/domain/json-text.js'
import {withChecksum} from '../../../../src/store/lowdb/file/checksum.js'
import {Entry} from '../../../../src/store/lowdb/line/entry.js'
import {headOfLine, idOfLine, nameOfLine} from '../../../../src/store/lowdb/line/head.js'

/** What a line holds. */
interface Held {
  readonly id: string
  readonly version: number
  readonly keys: readonly string[]
  readonly facets: readonly (string | null)[]
  readonly name: string
}

const documentOf = ({id, version, name}: Held) => ({id, version, name})

function lineOf(held: Held): Buffer {
  const {id, version, keys, facets} = held
  const uniqueKeys = keys.map((key, at) => ({key, ...(at % 2 === 1 ? {shared: true as const} : {})}))
  const text = JSON.stringify(documentOf(held))
  const json = version === 0 ? undefined : version % 2 === 0 ? text : JsonText.of(text)
  const {line} = Entry.of({kind: 'people', expect: 1, id, version, uniqueKeys, facets}, json)
  return Buffer.from(withChecksum(`${Buffer.from(line, 'latin1').toString()}}`))
}

const read = (line: Buffer) => Entry.ofLine(line)

/** Texts with quotes, escapes, letters of more than one byte, and what stands between the parts of a line. */
const texts = fc.oneof(
  fc.string({unit: 'grapheme', maxLength: 12}),
  fc.constantFrom('","v":', ',"doc":', '\\","c":[', '"=key:a"', 'Zoë', '€', '\u2028', '\\', ''),
)

const helds: fc.Arbitrary<Held> = fc.record({
  // Up to ids of which the first look at a line sees no end.
  id: fc.oneof(
    fc.uuid(),
    texts,
    fc.string({minLength: 60, maxLength: 90}),
    fc.string({minLength: 500, maxLength: 520}),
  ),
  version: fc.nat({max: 2 ** 40}),
  keys: fc.array(texts, {maxLength: 3}),
  facets: fc.array(fc.option(texts), {maxLength: 3}),
  name: texts,
})

const ada: Held = {id: 'ada', version: 7, keys: ['email:*:ada@example.com'], facets: ['Zoë', null], name: 'Zoë'}

describe('store · lines of documents', () => {
  it('has what was written to a line', () => {
    fc.assert(
      fc.property(helds, (held) => {
        const entry = read(lineOf(held))
        const {id, version, facets, uniqueKeys} = entry ?? expect.fail('unread')
        expect({id, version, facets, keys: uniqueKeys.map(({key}) => key)}).to.deep.equal({
          id: held.id,
          version: held.version,
          facets: held.facets,
          keys: held.keys,
        })
        expect(uniqueKeys.map(({shared}) => shared ?? false)).to.deep.equal(held.keys.map((_, at) => at % 2 === 1))
        const line = lineOf(held)
        const padded = Buffer.concat([Buffer.from('before\n'), line, Buffer.from('\nbehind')])
        const [from, to] = [7, 7 + line.length]
        expect(idOfLine(padded, from, to)).to.deep.equal({id: held.id, isTombstone: held.version === 0})
        const {headEnd, ...name} = nameOfLine(padded, from, to) ?? expect.fail('unnamed')
        expect(name).to.deep.equal({kind: 'people', id: held.id, version: held.version})
        expect(headOfLine(padded, from, headEnd)).to.deep.equal(entry?.head)
        if (version === 0) return
        expect(entry?.doc).to.deep.equal(documentOf(held))
        expect(entry?.text().text).to.equal(JSON.stringify(documentOf(held)))
      }),
      {numRuns: 400},
    )
  })

  it('keeps it when the bytes of the line are read over', () => {
    const line = lineOf(ada)
    const entry = read(line)
    line.fill('x')
    expect(entry?.doc).to.deep.equal(documentOf(ada))
    expect([entry?.id, entry?.facets, entry?.uniqueKeys]).to.deep.equal([
      'ada',
      ada.facets,
      [{key: 'email:*:ada@example.com'}],
    ])
  })

  it('does not believe a line that has another bit anywhere', () => {
    const line = lineOf(ada)
    for (let at = 0; at < line.length * 8; at += 1) {
      const damaged = Buffer.from(line)
      damaged[at >> 3] = (damaged[at >> 3] as number) ^ (1 << (at & 7))
      expect(read(damaged), `bit ${at}`).to.equal(undefined)
    }
    expect(read(line.subarray(0, -1))).to.equal(undefined)
    expect(read(Buffer.alloc(0))).to.equal(undefined)
  })

  it('finds a line among others', () => {
    const line = lineOf(ada)
    const among = Buffer.concat([Buffer.from('before\n'), line, Buffer.from('\nbehind')])
    expect(Entry.ofLine(among, 7, 7 + line.length)?.doc).to.deep.equal(documentOf(ada))
    expect(Entry.ofLine(among, 6, 7 + line.length)).to.equal(undefined)
  })
})
