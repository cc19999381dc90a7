import {expect} from 'chai'
import {dialled, queryWords} from '../../src/domain/folded-text.js'

describe('folded text', () => {
  it('asks for words part by part, by any of their spellings', () => {
    expect(queryWords("O'Brien, MÜLLER")).to.deep.equal([['o'], ['brien'], ['muller', 'mueller']])
  })

  it('has the digits of a telephone number as they are dialled from anywhere', () => {
    expect(dialled('0049 (0)30 5550')).to.equal('49305550')
  })
})
