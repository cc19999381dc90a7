import {expect} from 'chai'
import {InputError} from '../../../src/transfer/files/input-error.js'
import {type Layout, readRows} from '../../../src/transfer/input/rows.js'
import {failureOf, inOne, scratch} from '../scratch.js'

const files = scratch()

async function rowsOf(text: string, layout: Layout = {}) {
  for await (const {pieces} of readRows(await files.source('a.xml', text), {rows: 'customer', ...layout}))
    return await inOne(pieces)
  return []
}

const refusal = async (text: string) => {
  const error = await failureOf(rowsOf(text))
  expect(error, text.slice(0, 80)).to.be.instanceOf(InputError)
  return error as InputError
}

describe('transfer · rows of XML', () => {
  it('makes members of elements and attributes, lists of what is repeated, and an empty text of what is empty', async () => {
    const text = `<?xml version="1.0"?>
<d:list xmlns:d="urn:x" xmlns:xsi="urn:y"><skipped>1</skipped>
<d:customer no="1" xsi:type="x"><d:name>A &amp; B &#x1F600;</d:name><empty/><tag>a</tag><tag/><tag>b</tag>
  <attr id="color" lang="de">red</attr><attr id="size"><value>1</value></attr><note><![CDATA[<b> & c]]></note></d:customer>
<customer no="2"/></d:list>`
    const rows = await rowsOf(text, {names: {attr: '@id'}})
    expect(rows.map(({number, place}) => [place.line, number])).to.deep.equal([
      [3, 1],
      [5, 2],
    ])
    expect(rows.map((row) => row.kind === 'document' && row.document)).to.deep.equal([
      {
        '@no': '1',
        name: 'A & B 😀',
        empty: '',
        tag: ['a', 'b'],
        attr: {color: {'@lang': 'de', '#text': 'red'}, size: '1'},
        note: '<b> & c',
      },
      {'@no': '2'},
    ])
  })

  it('takes elements by any name that objects inherit for what they are', async () => {
    const text = '<l><customer><constructor>A</constructor><toString>1</toString><toString>2</toString></customer></l>'
    const rows = await rowsOf(text)
    expect(rows.map((row) => row.kind === 'document' && row.document)).to.deep.equal([
      {constructor: 'A', toString: ['1', '2']},
    ])
  })

  it('refuses document types, entities, and what is not well-formed, with the line', async () => {
    for (const [text, words, line] of [
      ['<!DOCTYPE a [<!ENTITY x "yyyy">]>\n<a><customer>&x;</customer></a>', 'document type', 1],
      ['<a>\n<customer>&x;</customer></a>', 'not well-formed XML', 2],
      ['<a>\n<customer>\n</b></a>', 'not well-formed XML', 3],
      ['<a>\n<customer>', 'not well-formed XML', 2],
      ['<a><customer><__proto__/></customer></a>', '__proto__', 1],
      ['<a>\n<other/></a>', "no element 'customer'", undefined],
    ] as const) {
      const error = await refusal(text)
      expect(error.message, text).to.include(words)
      expect(error.line, text).to.equal(line)
    }
  })

  it('bounds the nesting, the attributes and the size of a row, but not of the file', async () => {
    const nested = `<a><customer>${'<b>'.repeat(40)}`
    expect((await refusal(nested)).message).to.include('nests elements deeper than')
    const attributes = Array.from({length: 101}, (_, at) => `a${at}="1"`).join(' ')
    expect((await refusal(`<a><customer ${attributes}/></a>`)).message).to.include('more than 100 attributes')
    expect((await refusal(`<a><customer>${'<b>xxxxxxxx</b>'.repeat(80_000)}</customer></a>`)).message).to.include(
      'longer than',
    )
    const many = await rowsOf(`<a>${'<customer><b>1</b></customer>'.repeat(50_000)}</a>`)
    expect(many).to.have.lengthOf(50_000)
  })

  it('asks for a map that says what a row is', async () => {
    const found = readRows(await files.source('b.xml', '<a/>'))
    const error = await failureOf(
      (async () => {
        for await (const {pieces} of found) await inOne(pieces)
      })(),
    )
    expect(error.message).to.include('no map says which element is a row')
  })

  it('keeps half of a surrogate pair and control characters out', async () => {
    const [row] = await rowsOf('<a><customer><b>&#xD800;</b></customer></a>').catch((error: unknown) => [error])
    expect(row instanceof InputError || (row as {kind: string}).kind === 'broken').to.equal(true)
  })
})
