import {Readable} from 'node:stream'
import {gzipSync} from 'node:zlib'
import {expect} from 'chai'
import {InputError} from '../../../src/transfer/files/input-error.js'
import type {Source, SourceOptions} from '../../../src/transfer/input/row.js'
import {readRows} from '../../../src/transfer/input/rows.js'
import {openSources} from '../../../src/transfer/input/source.js'
import {utf8Chunks} from '../../../src/transfer/input/utf8-chunks.js'
import {collected, failureOf, inOne, scratch} from '../scratch.js'

const files = scratch()
type Bytes = string | Uint8Array

async function textOf(source: Source | undefined, chunkBytes?: number): Promise<string> {
  return Buffer.concat(await collected(utf8Chunks(source as Source, chunkBytes))).toString()
}

async function opened(content: Bytes, options?: SourceOptions, name = 'a.csv'): Promise<Source> {
  const [source] = await files.source(name, content, options)
  return source as Source
}

const refused = (content: Bytes, options?: SourceOptions, name = 'a.csv'): Promise<InputError> =>
  failureOf<InputError>(opened(content, options, name).then(async (source) => textOf(source)))

const text = 'key;email;name\naa;a@x.de;Jürgen Müßig, „Café“ 5 €\nbb;b@x.de;Zoë O’Brien\n'
const bytesOf = (characters: Readonly<Record<string, number>>, from = text): Buffer =>
  Buffer.from(
    from.replace(/[^\0-\x7f]/g, (one) => String.fromCharCode(characters[one] ?? one.charCodeAt(0))),
    'latin1',
  )
const western = bytesOf({'„': 0x84, '“': 0x93, '€': 0x80, '’': 0x92})
const utf16le = Buffer.from(text, 'utf16le')
const utf16be = Buffer.from(utf16le).swap16()
const [markLe, markBe] = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])]

describe('transfer · encodings', () => {
  it('are told by the bytes, with the reason, and give the same text wherever a chunk ends', async () => {
    for (const [bytes, encoding, because] of [
      [Buffer.from(text), 'utf-8', undefined],
      [Buffer.from(`\uFEFF${text}`), 'utf-8', undefined],
      [Buffer.concat([markLe, utf16le]), 'utf-16le', 'its byte order mark says so'],
      [Buffer.concat([markBe, utf16be]), 'utf-16be', 'its byte order mark says so'],
      [utf16le, 'utf-16le', 'every other byte of its beginning is zero'],
      [utf16be, 'utf-16be', 'every other byte of its beginning is zero'],
    ] as const) {
      const source = await opened(bytes)
      expect([source.encoding, source.because]).to.deep.equal([encoding, because])
      for (const size of [1, 2, 3, 5, 4096]) expect(await textOf(source, size), encoding).to.equal(text)
      const stdin = Readable.from([bytes.subarray(0, 7), bytes.subarray(7)])
      const {list, dispose} = await openSources(['-'], {stdin})
      expect([list[0]?.encoding, await textOf(list[0])]).to.deep.equal([encoding, text])
      await dispose()
    }
  })

  it('are taken as they are named, in any spelling', async () => {
    const latin9 = bytesOf({'€': 0xa4, Œ: 0xbc}, 'key\nŒuvre 5 €\n')
    for (const [label, bytes, content] of [
      ['latin9', latin9, 'key\nŒuvre 5 €\n'],
      ['ISO_8859-1', bytesOf({}, 'key\nä¤\n'), 'key\nä¤\n'],
      ['CP1252', western, text],
      ['windows-1251', Buffer.from('key\n\xc0\xed\xed\xe0\n', 'latin1'), 'key\nАнна\n'],
      ['shift_jis', Buffer.from('key\n\x83e\x83X\n', 'latin1'), 'key\nテス\n'],
      ['utf-16', Buffer.concat([markBe, utf16be]), text],
      ['UTF16', utf16le, text],
      ['utf-16be', Buffer.from('k\u4e2d😀\n', 'utf16le').swap16(), 'k\u4e2d😀\n'],
    ] as const) {
      const source = await opened(bytes, {encoding: label})
      for (const size of [1, 3, 4096]) expect(await textOf(source, size), label).to.equal(content)
      expect(source.because).to.equal(undefined)
    }
    expect((await refused(text, {encoding: 'klingon'})).remedy).to.include('windows-1252')
    expect((await refused(`\uFEFF${text}`, {encoding: 'windows-1252'})).message).to.include('byte order mark of utf-8')
  })

  it('name the line of bytes that they do not have', async () => {
    for (const [encoding, bytes, line] of [
      ['windows-1252', 'key\nab\n\x81\n', 3],
      ['iso-8859-1', 'key\nab\ncd\x92\n', 3],
      ['utf-8', 'key\nab\ncd\n\xe4\n', 4],
      ['utf-16le', 'k\0\n\0a\0\n\0\0\xd8b\0\n\0', 3],
      ['utf-16le', 'k\0\n\0a\0\n\0b', 3],
      ['shift_jis', 'key\nab\n\x83\n', 3],
      ['shift_jis', 'key\nab\ncd\n\x83', 4],
    ] as const) {
      expect(await refused(Buffer.from(bytes, 'latin1'), {encoding}), encoding).to.include({line})
    }
  })

  it('are never guessed: the refusal names the line and the flag', async () => {
    const long = 'key;email;name\nab;a@x.de;plain\n'
    for (const [what, bytes] of [
      ['a damaged UTF-8 file', Buffer.concat([Buffer.from('key\nJürgen\nZoë\n'), Buffer.from([0xfc, 10])])],
      ['western Windows', western],
      ['Cyrillic', Buffer.from(`${long}cc;c@x.de;\xc8\xe2\xe0\xed\xee\xe2 \xc0\xed\xed\xe0\n`, 'latin1')],
      ['Polish', Buffer.from(`${long}cc;c@x.de;Ma\xb3gorzata Wa\xb3\xeasa\n`, 'latin1')],
      ['Mac OS', Buffer.from(`${long}cc;c@x.de;J\x9frgen M\x9fller\n`, 'latin1')],
      ['DOS', Buffer.from(`${long}cc;c@x.de;J\x81rgen M\x84rz\n`, 'latin1')],
      ['Shift JIS', Buffer.from(`${long}cc;c@x.de;\x83e\x83X\x83g\n`, 'latin1')],
    ] as const) {
      const error = await refused(bytes)
      expect(error, what).to.be.instanceOf(InputError)
      expect(error.message, what).to.match(/is not UTF-8: see line \d/)
      expect(error.remedy, what).to.include('--encoding windows-1252')
    }
  })

  it('find the one foreign byte at the end of a long file', async () => {
    const rows = `key;name\n${'ab;plain\n'.repeat(60_000)}`
    expect((await refused(Buffer.concat([Buffer.from(rows), bytesOf({}, 'cc;Ægir\n')]))).line).to.equal(60_002)
  })
})

describe('transfer · compressed input', () => {
  const rowsOf = async (source: Source): Promise<number[]> => {
    const lines: number[] = []
    for await (const {pieces} of readRows([source])) lines.push(...(await inOne(pieces)).map(({place}) => place.line))
    return lines
  }

  it('is read by its first bytes, whatever the name, also in several members and in any encoding', async () => {
    const members = Buffer.concat([gzipSync('key,email\naa,a@x.de\n'), gzipSync('bb,b@x.de\n'), Buffer.alloc(512)])
    for (const name of ['a.csv.gz', 'a.csv', 'a']) {
      const source = await opened(members, {}, name)
      expect([source.compression, source.format]).to.deep.equal(['gzip', 'csv'])
      expect(await rowsOf(source)).to.deep.equal([2, 3])
    }
    expect((await opened(gzipSync('{"key":"aa"}\n'), {}, 'a.jsonl.gz')).format).to.equal('jsonl')
    expect((await opened(gzipSync(Buffer.concat([markLe, utf16le])))).encoding).to.equal('utf-16le')
    const {list} = await openSources(['-'], {stdin: Readable.from([members])})
    expect(await rowsOf(list[0] as Source)).to.deep.equal([2, 3])
  })

  it('that is cut, damaged or followed by something else is refused with what could be read', async () => {
    const whole = gzipSync(`key,email\n${Array.from({length: 5000}, (_, at) => `k${at},${at}@x.de\n`).join('')}`)
    const cut = await refused(whole.subarray(0, -2000), {}, 'a.csv.gz')
    expect(cut.message).to.match(/ends in the middle of its gzip data: \d+ whole lines could be read/)
    expect(cut.line).to.be.greaterThan(100)
    expect(cut.remedy).to.include('gzip -t')
    expect((await refused(Buffer.concat([whole, Buffer.from('more')]))).message).to.include('something else behind it')
    const damaged = Buffer.from(whole)
    damaged.writeUInt32LE(1, damaged.length - 8)
    expect((await refused(damaged)).message).to.include('damaged gzip data')
    expect((await refused(gzipSync(''))).message).to.include('is empty')
    expect((await refused(gzipSync(gzipSync('key\n')))).message).to.include('compressed twice')
  })
})

describe('transfer · formats without rows', () => {
  it('are named, with a way out', async () => {
    const compound = Buffer.from('d0cf11e0a1b11ae1', 'hex')
    for (const [content, what, wayOut] of [
      ['%PDF-1.7\n', 'PDF', '.xlsx'],
      [compound, 'Excel 97 workbook (.xls)', 'save it as .xlsx or as CSV UTF-8'],
      [compound, 'a workbook with a password', 'take the password away'],
      ['<!DOCTYPE html><html><table><tr><td>key', 'an HTML page', 'CSV UTF-8'],
      ['<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook', 'Excel 2003 XML', '.xlsx'],
      ['PAR1\x15\0', 'Parquet', 'JSON Lines'],
      ['SQLite format 3\0', 'SQLite', 'sqlite3'],
      ['BZh91AY', 'bzip2', 'bunzip2'],
      [`${'rows.csv'.padEnd(257, '\0')}ustar`, 'tar archive', 'tar -xf'],
    ] as const) {
      const error = await refused(content, {}, 'customers.xls')
      expect(error, what).to.be.instanceOf(InputError)
      expect(error.message).to.include(what)
      expect(error.remedy).to.include(wayOut)
    }
  })
})
