import {expect} from 'chai'
import {type Desk, errorOf, openDesk} from '../harness.js'

describe('api · marks of --since last', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
  })
  after(() => desk.runtime.state.close())

  const key = 'a'.repeat(64)
  const path = '/_frontdesk/custom-objects'
  const container = 'frontdesk-marks'
  const read = async () => (await desk.ask('GET', `${path}/${container}/${key}`)).body
  const set = (version: number, value: object) => desk.ask('POST', path, {body: {container, key, version, value}})

  it('begin at version 0, count up, and are refused at another version than theirs', async () => {
    expect(await read()).to.deep.equal({container, key, version: 0})
    expect((await set(0, {to: 'a'})).body).to.deep.equal({container, key, version: 1, value: {to: 'a'}})
    expect((await set(1, {to: 'b'})).body.version).to.equal(2)
    expect(errorOf(await set(1, {to: 'c'})).code).to.equal('ConcurrentModification')
    expect(await read()).to.deep.equal({container, key, version: 2, value: {to: 'b'}})
  })

  it('have a digest for a key, and no other container', async () => {
    for (const body of [
      {container, key: 'short', version: 0, value: {}},
      {container: 'mine', key, version: 2, value: {}},
      {container, key, version: -1, value: {}},
    ])
      expect((await desk.ask('POST', path, {body})).status, JSON.stringify(body)).to.equal(400)
  })
})
