import {expect} from 'chai'
import type {InputError} from '../../../src/transfer/files/input-error.js'
import {jsonValues} from '../../../src/transfer/input/json-values.js'
import type {Source} from '../../../src/transfer/input/row.js'
import {utf8Chunks} from '../../../src/transfer/input/utf8-chunks.js'
import {failureOf, inOne, scratch} from '../scratch.js'

const files = scratch()

describe('transfer · rows that are members', () => {
  it('reads the members of an object as rows with their names, wherever the chunks end', async () => {
    const members = '"5:x\\"}": {"key": "aa"}, "b": {}\n,"c":[1], "d" :{"@name":"own","e":{"f":{}}}'
    const wanted = [{'@name': '5:x"}', key: 'aa'}, {'@name': 'b'}, undefined, {'@name': 'own', e: {f: {}}}]
    for (const [text, rows] of [
      [`{${members}}`, '*'],
      [`{"n": {"users": 1}, "users": {${members}}, "total": 4}`, 'users.*'],
      [`[{"a": {"users": {${members}}}}, {"a": {"users": {}}}]`, 'a.users.*'],
    ] as const) {
      for (const chunk of [undefined, 3]) {
        const [source] = await files.source('a.json', text)
        if (!source) throw new Error('there is no source')
        const found: unknown[] = []
        for await (const piece of jsonValues(source, utf8Chunks(source, chunk), rows))
          for (const one of piece) found.push(one.text)
        expect(
          found.map((one) => (`${one}`.startsWith('{') ? JSON.parse(`${one}`) : undefined)),
          text,
        ).to.deep.equal(wanted)
      }
    }
    const [list] = await files.source('a.json', '{"users": []}')
    const none = await failureOf<InputError>(inOne(jsonValues(list as Source, utf8Chunks(list as Source), 'users.*')))
    expect(none.message).to.include("no list 'users.*'").and.not.include('undefined')
  })
})
