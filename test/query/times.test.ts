import {expect} from 'chai'
import {parseWhere} from '../../src/query/parser.js'
import {compile} from '../../src/query/to-function.js'

const finds = (predicate: string, callAt: unknown, time?: string): boolean => {
  const vars = new Map(time === undefined ? [] : [['time', [time]]])
  const where = parseWhere([`custom(fields(callAt ${predicate}))`], {open: true}, vars)
  if (!where) throw new Error('there is no predicate')
  return compile(where)({custom: {fields: {callAt}}})
}

describe('query · times of day', () => {
  it('are the same with and without fractions of a second', () => {
    for (const text of ['10:30:00', '10:30:00.0', '10:30:00.00', '10:30:00.000']) {
      expect(finds(`= "${text}"`, '10:30:00.000'), text).to.equal(true)
      expect(finds(`!= "${text}"`, '10:30:00.000'), text).to.equal(false)
      expect(finds(`in ("${text}", "x")`, '10:30:00.000'), text).to.equal(true)
      expect(finds(`<= "${text}"`, '10:30:00.000'), text).to.equal(true)
      expect(finds(`>= "${text}"`, '10:30:00.000'), text).to.equal(true)
      expect(finds(`> "${text}"`, '10:30:00.000'), text).to.equal(false)
      expect(finds(`< "${text}"`, '10:30:00.000'), text).to.equal(false)
      expect(finds('= :time', '10:30:00.000', text), text).to.equal(true)
      expect(finds('contains any (:time)'.replace('(:time)', ':time'), ['10:30:00.000'], text), text).to.equal(true)
    }
    expect(finds('= "10:30:00.5"', '10:30:00.500')).to.equal(true)
    expect(finds('= "10:30:00"', '10:30:00.500')).to.equal(false)
  })

  it('are still texts where a field holds the text', () => {
    expect(finds('= "10:30:00"', '10:30:00')).to.equal(true)
    expect(finds('= "25:30:00"', '25:30:00.000')).to.equal(false)
  })
})
