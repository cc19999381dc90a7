import {expect} from 'chai'
import {rounds} from '../rounds.js'
import {fuzz} from './fuzz.js'

describe('fuzz · requests by seed', () => {
  it('S-345 end, hold and fill no server, and none is answered by a fault of its own', async () => {
    const count = rounds(4_000, 1_000_000)
    const {statuses, faults} = await fuzz({seed: 20_261_123, from: 0, count})
    expect(faults.join('\n\n')).to.equal('')
    // They are no noise: some take effect, and each gate refuses some.
    for (const status of ['200', '201', '400', '401', '403', '404', '409']) {
      expect(statuses.get(status), status).to.be.greaterThan(count / 4_000)
    }
  })
})
