import {expect} from 'chai'
import type {Client} from '../../../src/client/client.js'
import {readMark} from '../../../src/transfer/target/marks.js'
import {failureOf} from '../scratch.js'

describe('transfer · marks at a target', () => {
  it('are not asked for again once the run was interrupted', async () => {
    const stop = new AbortController()
    let asked = 0
    const raw: Client['raw'] = async () => {
      asked += 1
      setImmediate(() => stop.abort())
      return {
        status: 503,
        headers: {'retry-after': '60'},
        body: {statusCode: 503, message: 'down', errors: []},
      } as never
    }
    const failure = await failureOf(readMark({projectKey: 'p', raw} as Client, 'key', stop.signal))
    expect(failure.name).to.equal('AbortError')
    expect(asked).to.equal(1)
  })
})
