import {expect} from 'chai'
import fc from 'fast-check'
import {JsonText, jsonOf, jsonPieces, jsonTextOf, withJsonText} from '../../src/domain/json-text.js'

const utf8 = (text: JsonText | string): string =>
  Buffer.from(typeof text === 'string' ? text : text.bytes, 'latin1').toString('hex')

/** Also texts with letters that are one byte in memory and two in UTF-8, and those beyond. */
const anyJson = fc.jsonValue().map((value) => [value, 'Straße', '東京', '😀'])

describe('json text', () => {
  it('has the bytes of the JSON, and gives the text and the value back', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), anyJson), (value) => {
        const json = JSON.stringify(value)
        const bytes = Buffer.from(json)
        for (const text of [JsonText.of(json), JsonText.ofBytes(bytes.toString('latin1'))]) {
          expect(utf8(text)).to.equal(bytes.toString('hex'))
          expect(text.bytes).to.have.lengthOf(bytes.length)
          expect(text.text).to.equal(json)
          expect(JSON.stringify({text})).to.equal(`{"text":${json}}`)
        }
      }),
    )
  })

  it('is found with the document that it was kept with, and within its parent', () => {
    const text = JsonText.of('{"name":"Grüße"}')
    const customer = withJsonText({name: 'Grüße'}, text)
    expect(jsonOf(customer)).to.equal(text)
    expect(jsonTextOf(customer)).to.equal(text.text)
    const pieces = [...jsonPieces({customer, ü: ['ß', undefined, {}, []], none: undefined})]
    expect(pieces).to.include(text.bytes)
    expect(utf8(pieces.join(''))).to.equal(
      Buffer.from('{"customer":{"name":"Grüße"},"ü":["ß",null,{},[]]}').toString('hex'),
    )
    expect([...jsonPieces(text)]).to.deep.equal([text.bytes])
  })

  it('is made in pieces as it is at once', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(utf8([...jsonPieces(value)].join(''))).to.equal(Buffer.from(JSON.stringify(value)).toString('hex'))
      }),
    )
  })
})
