import {expect} from 'chai'
import {canonical, Summing} from '../../src/store/adapter/checksum.js'

describe('store · checksums', () => {
  it('put the members of every object in one order, whatever their names are', () => {
    expect(canonical({b: [1, {d: null, c: 'é"'}], a: undefined, 10: true, 9: 1.5})).to.equal(
      '{"10":true,"9":1.5,"b":[1,{"c":"é\\"","d":null}]}',
    )
    for (const names of [
      ['a', 'b', 'c'],
      ['b', 'a', 'c'],
      ['a\0b', 'c'],
      ['a', 'b\0c'],
      ['a\0b\0c'],
      ['__proto__', 'a'],
    ]) {
      const value = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:1`).join(',')}}`) as object
      const sorted = [...names].sort().map((name) => `${JSON.stringify(name)}:1`)
      for (const _ of [1, 2]) expect(canonical(value)).to.equal(`{${sorted.join(',')}}`)
    }
  })

  it('tell documents and unique keys from others, in any order', () => {
    const kept = (id: string, key: string, shared = false) => ({
      kind: 'people',
      doc: {id, version: 1},
      uniqueKeys: [shared ? {key, shared: true as const} : {key}],
    })
    const sumOf = (...all: ReturnType<typeof kept>[]) => {
      const summing = new Summing()
      for (const one of all) summing.add(one)
      return summing.sum
    }
    const [a, b] = [kept('a', 'x'), kept('b', 'y')]
    expect(sumOf(a, b)).to.deep.equal(sumOf(b, a))
    for (const other of [sumOf(a), sumOf(a, kept('b', 'z')), sumOf(a, kept('b', 'y', true)), sumOf(a, a)]) {
      expect(other).to.not.deep.equal(sumOf(a, b))
    }
  })
})
