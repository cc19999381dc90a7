import {expect} from 'chai'
import {newRequestId} from '../../src/client/request-id.js'

describe('client · request ids', () => {
  it('are UUIDs of version 4, and differ', () => {
    const ids = Array.from({length: 1_000}, newRequestId)
    for (const id of ids) expect(id).to.match(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(new Set(ids).size).to.equal(ids.length)
  })
})
