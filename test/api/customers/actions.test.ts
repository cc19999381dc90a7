import {expect} from 'chai'
import {customerActions} from '../../../src/domain/customers/actions/index.js'
import {acted, type Body, type Desk, errorOf, openDesk, signedUp} from '../harness.js'
import {address, cases} from './action-cases.js'

const customCases = ['setCustomType', 'setCustomField', 'setAddressCustomType', 'setAddressCustomField']

describe('api · update actions', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk({seed: true})
  })

  const messagesOf = async (id: string): Promise<Body[]> => {
    const where = encodeURIComponent(`resource(id = "${id}")`)
    const {body} = await desk.ask('GET', `/messages?where=${where}&sort=sequenceNumber&limit=500`)
    return body.results
  }

  it('has a case for every action of the registry', () => {
    expect([...Object.keys(cases), ...customCases].sort()).to.deep.equal([...customerActions.keys()].sort())
  })

  for (const [action, one] of Object.entries(cases)) {
    it(`${action} changes the customer, raises the version by one and says so`, async () => {
      const before = await signedUp(desk, one.draft)
      const {status, body} = await acted(desk, before, {action, ...one.when(before)})
      expect(status, JSON.stringify(body)).to.equal(200)
      one.shows(body, before)
      expect(body.version).to.equal(before.version + 1)
      const said = await messagesOf(before.id)
      expect(said.map(({type}) => type)).to.deep.equal(['CustomerCreated', ...one.messages])
      expect(said.map(({sequenceNumber}) => sequenceNumber)).to.deep.equal(said.map((_, at) => at + 1))
      expect(said[0].resourceVersion).to.equal(1)
      for (const message of said.slice(1)) expect(message.resourceVersion).to.equal(body.version)
    })

    it(`${action} once more changes nothing, or says why it cannot`, async () => {
      const fresh = await openDesk({seed: true})
      const before = await signedUp(fresh, one.draft)
      const change = {action, ...one.when(before)}
      const once = (await acted(fresh, before, change)).body
      const twice = await acted(fresh, once, change)
      if (action === 'addAddress') expect(errorOf(twice).code).to.equal('DuplicateField')
      else if (['changeAddress', 'removeAddress', 'removeCustomerGroupAssignment'].includes(action)) {
        expect(twice.status === 400 ? 'InvalidOperation' : twice.body.version).to.be.oneOf([
          'InvalidOperation',
          once.version,
        ])
      } else if (action === 'setAuthenticationMode') expect(errorOf(twice).code).to.equal('InvalidInput')
      else expect(twice.body).to.deep.equal(once)
    })
  }

  it('removes plain members when the value is left out or null', async () => {
    const before = await signedUp(desk, {firstName: 'Ada', lastName: 'L', key: 'gone-soon'})
    const actions = [{action: 'setFirstName'}, {action: 'setLastName', lastName: null}, {action: 'setKey'}]
    const {body} = await acted(desk, before, ...actions)
    expect(body).to.not.have.any.keys('firstName', 'lastName', 'key')
    expect(body.version).to.equal(before.version + 3)
  })

  it('lets later actions see earlier ones, and undoes all when one fails', async () => {
    const before = await signedUp(desk)
    const good = [
      {action: 'addAddress', address},
      {action: 'setDefaultShippingAddress', addressKey: 'home'},
    ]
    const bad = {action: 'removeAddress', addressKey: 'nowhere'}
    const refused = await acted(desk, before, ...good, bad)
    expect(errorOf(refused).code).to.equal('InvalidOperation')
    expect((await desk.ask('GET', `/customers/${before.id}`)).body).to.deep.equal(before)
    const done = await acted(desk, before, ...good)
    expect(done.body.defaultShippingAddressId).to.equal(done.body.addresses[0].id)
  })

  it('marks the deprecated changeName in the answer', async () => {
    const before = await signedUp(desk)
    const {headers} = await acted(desk, before, {action: 'changeName', firstName: 'A', lastName: 'B'})
    expect(headers['x-deprecation-notice'])
      .to.contain('changeName')
      .and.contain('setFirstName')
      .and.contain('2016-01-15')
  })
})
