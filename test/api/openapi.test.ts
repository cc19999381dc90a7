import {expect} from 'chai'
import {operations} from '../../src/api/index.js'
import {customerActions} from '../../src/domain/customers/actions/index.js'
import {type Body, type Desk, openDesk, signedUp} from './harness.js'
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
