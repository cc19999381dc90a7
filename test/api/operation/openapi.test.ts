import {setImmediate as nextTurn} from 'node:timers/promises'
import {expect} from 'chai'
import {operations} from '../../../src/api/index.js'
import {openApi} from '../../../src/api/openapi.js'
import {customerActions} from '../../../src/domain/customers/actions/index.js'
import {type Body, type Desk, openDesk, signedUp} from '../harness.js'
import {checkAnswer} from './openapi-check.js'

describe('api · openapi', () => {
  let desk: Desk
  let document: Body
  before(async () => {
    desk = await openDesk()
    document = (await desk.ask('GET', '//openapi.json', {token: null})).body
  })

  it('has every operation with its path, permission and parameters', () => {
    for (const {id, method, path, permission} of operations.filter(({area}) => area !== 'Probes')) {
      const described = document.paths[path]?.[method.toLowerCase()]
      expect(described?.operationId, `${method} ${path}`).to.equal(id)
      expect(described.security, id).to.have.length.of.at.least(permission.kind === 'open' ? 0 : 1)
      const names = described.parameters.filter((parameter: Body) => parameter.in === 'path')
      expect(names).to.have.length((path.match(/\{/g) ?? []).length)
    }
  })

  it('is made in turns of the event loop, two for each operation and one for each action', async () => {
    const {now} = performance
    let [passedMs, turns, isMade] = [0, 0, false]
    // Whatever the machine, each step takes longer than a slice.
    performance.now = () => (passedMs += 10)
    try {
      const made = openApi(operations).finally(() => {
        isMade = true
      })
      while (!isMade) {
        await nextTurn()
        turns += 1
      }
      expect((await made)['openapi']).to.equal('3.1.0')
    } finally {
      performance.now = now
    }
    const steps = operations.reduce((sum, {actions}) => sum + 2 + (actions?.size ?? 0), 0)
    expect(turns).to.be.at.least(steps)
  })

  it('gives every operation an id of its own', () => {
    expect(new Set(operations.map(({id}) => id)).size).to.equal(operations.length)
  })

  it('lists every update action with its members', () => {
    const {schema} = document.paths['/{projectKey}/customers/{id}'].post.requestBody.content['application/json']
    const actions: Body[] = schema.properties.actions.items.oneOf
    expect(actions.map(({title}) => title)).to.deep.equal([...customerActions.keys()])
    const changeEmail = actions.find(({title}) => title === 'changeEmail')
    expect(changeEmail.properties).to.have.all.keys('action', 'email')
  })

  it('describes the members of custom types, whose old forms are read first', () => {
    const bodyAt = (path: string): Body =>
      document.paths[path].post.requestBody.content['application/json'].schema.properties
    const actions: Body[] = bodyAt('/{projectKey}/customers/{id}').actions.items.oneOf
    const ofAddress = actions.find(({title}) => title === 'setAddressCustomType')
    expect(ofAddress.properties).to.have.all.keys('action', 'addressId', 'type', 'fields')
    const object = {type: 'object', additionalProperties: true}
    expect(ofAddress.properties).to.have.nested.property('fields.anyOf[0]').that.deep.equals(object)
    expect(ofAddress.required).to.deep.equal(['action', 'addressId'])
    const [custom] = bodyAt('/{projectKey}/customers').custom.anyOf
    expect(custom.properties.type.properties).to.have.all.keys('typeId', 'id', 'key')
  })

  it('describes the parts of a quote: what is always there, amounts, moments and custom fields', () => {
    const {required, properties} = document.components.schemas.Quote
    const {items} = properties.lineItems
    expect(required).to.include.members(['lineItems', 'taxMode', 'quoteState']).and.to.not.include('taxedPrice')
    expect(items.required).to.have.members(['id', 'quantity', 'totalPrice'])
    expect(items.properties.totalPrice).to.deep.equal({$ref: '#/components/schemas/Money'})
    expect(items.properties.addedAt).to.deep.equal({type: 'string', description: 'ISO 8601'})
    expect(items.properties.custom.properties.type.properties.typeId).to.deep.equal({const: 'type'})
    expect(items.properties.state.items.properties.state.required).to.deep.equal(['typeId', 'id'])
  })

  it('tells the types and bounds of query parameters', () => {
    const parametersOf = (path: string, method: string): Body =>
      Object.fromEntries(document.paths[path][method].parameters.map((parameter: Body) => [parameter.name, parameter]))
    const {limit, where, withTotal} = parametersOf('/{projectKey}/customers', 'get')
    expect(limit.schema).to.deep.equal({type: 'integer', minimum: 0, maximum: 500, default: 20})
    expect(where.schema.type).to.equal('array')
    expect(withTotal.schema).to.deep.equal({type: 'boolean', default: true})
    const {version} = parametersOf('/{projectKey}/customers/{id}', 'delete')
    expect(version).to.deep.include({required: true, schema: {type: 'integer', minimum: 0}})
  })

  it('is a contract that answers are held to', async () => {
    const customer = await signedUp(desk)
    const check = (body: object): Promise<void> => checkAnswer('/{projectKey}/customers/{id}', 'GET', 200, 200, body)
    await check(customer)
    for (const broken of [{...customer, passwordHash: 'x'}, {...customer, version: '1'}, {id: customer.id}]) {
      let refused = false
      await check(broken).catch(() => {
        refused = true
      })
      expect(refused).to.equal(true)
    }
  })
})
