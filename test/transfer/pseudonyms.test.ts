import {expect} from 'chai'
import {pseudonyms} from '../../src/transfer/output/pseudonyms.js'

describe('transfer · pseudonyms', () => {
  it('take phone numbers that are reserved for fiction, the same for the same one', () => {
    const {phone} = pseudonyms('seed')
    const numbers = Array.from({length: 200}, (_, at) => phone(`+49 30 ${at}`))
    for (const number of numbers) expect(number).to.match(/^\+447700900\d{3}$/)
    expect(numbers[0]).to.equal(pseudonyms('seed').phone('+49 30 0'))
    expect(new Set(numbers).size).to.be.greaterThan(100)
  })
})
