import {expect} from 'chai'
import {argumentRows} from './bad-input/arguments.js'
import {localRows} from './bad-input/local.js'
import {Place} from './bad-input/place.js'
import {serverRows} from './bad-input/servers.js'

/** The table of bad input, row by row: each ends with its code, with and without --json, and nothing half done. */
describe('cli · bad input', () => {
  const rows = {...argumentRows, ...serverRows, ...localRows}
  let place: Place
  beforeEach(async () => {
    place = await Place.open()
  })
  afterEach(() => place.close())

  it('has all forty rows, each once', () => {
    expect(Object.keys(rows).map(Number)).to.deep.equal(Array.from({length: 40}, (_, index) => index + 1))
    const counts = [argumentRows, serverRows, localRows].map((part) => Object.keys(part).length)
    expect(counts.reduce((sum, count) => sum + count)).to.equal(40)
  })

  for (const [number, [title, run]] of Object.entries(rows)) {
    it(`${number}: ${title}`, () => run(place))
  }
})
