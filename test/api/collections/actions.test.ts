import {expect} from 'chai'
import {writables} from '../../../src/domain/collections/index.js'
import {type Body, type Desk, errorOf, openDesk} from '../harness.js'
import {casesOf, fieldsType} from './action-cases.js'
import {changed, created, written} from './drafts.js'
import {refusalsOf} from './refusal-cases.js'

for (const {segment, typeId, draft} of written) {
  const cases = casesOf[segment] ?? {}

  describe(`api · update actions of ${segment}`, () => {
    let desk: Desk
    before(async () => {
      desk = await openDesk({languages: ['de', 'en', 'fr']})
      await created(desk, 'types', fieldsType)
    })

    const messagesOf = async (id: string): Promise<Body[]> => {
      const where = encodeURIComponent(`resource(typeId = "${typeId}" and id = "${id}")`)
      return (await desk.ask('GET', `/messages?where=${where}&sort=sequenceNumber`)).body.results
    }

    it('has a case for every action of the registry', () => {
      const actions = writables.find((collection) => collection.typeId === typeId)?.actions
      expect(Object.keys(cases).sort()).to.deep.equal([...(actions?.keys() ?? [])].sort())
    })

    for (const [at, [action, {draft: members = {}, body, shows, messages = [], onceOnly}]] of Object.entries(
      cases,
    ).entries()) {
      it(`${action} changes the resource by one version, says so, and has no effect twice`, async () => {
        const before = await created(desk, segment, draft(`case-${at}`, members))
        const once = await changed(desk, segment, before, {action, ...body})
        expect(once.status, JSON.stringify(once.body)).to.equal(200)
        for (const [path, expected] of Object.entries(shows)) {
          expect(once.body).to.have.nested.property(path).that.deep.equals(expected)
        }
        expect(once.body.version).to.equal(2)
        const said = (await messagesOf(before.id)).filter(({type}) => type !== 'StoreCreated')
        expect(said.map(({type}) => type)).to.deep.equal(messages.map((message) => Reflect.get(message, 'type')))
        for (const [index, message] of messages.entries()) expect(said[index]).to.deep.include(message)
        const twice = await changed(desk, segment, once.body, {action, ...body})
        if (onceOnly) expect(errorOf(twice).code).to.equal(onceOnly)
        else expect(twice.body).to.deep.equal(once.body)
        expect((await messagesOf(before.id)).length).to.equal(said.length + (segment === 'stores' ? 1 : 0))
      })
    }

    for (const [at, {draft: members = {}, action, body, code, says = {}}] of (refusalsOf[segment] ?? []).entries()) {
      it(`${action} with ${JSON.stringify(body)} is refused with ${code}, and changes nothing`, async () => {
        const before = await created(desk, segment, draft(`refused-${at}`, members))
        const refused = await changed(desk, segment, before, {action, ...body})
        expect([refused.status, errorOf(refused).code], JSON.stringify(refused.body)).to.deep.equal([400, code])
        expect(errorOf(refused)).to.deep.include(says)
        expect((await desk.ask('GET', `/${segment}/${before.id}`)).body).to.deep.equal(before)
      })
    }
  })
}

describe('api · messages of stores', () => {
  it('tell the creation with its members, and the deletion', async () => {
    const desk = await openDesk()
    const {body: store} = await desk.ask('POST', '/stores', {body: {key: 'berlin', countries: [{code: 'DE'}]}})
    await desk.ask('DELETE', '/stores/key=berlin?version=1')
    const {results} = (await desk.ask('GET', '/messages?sort=sequenceNumber')).body
    const [born, gone] = results
    expect(born).to.deep.include({type: 'StoreCreated', countries: [{code: 'DE'}], languages: [], sequenceNumber: 1})
    expect(born.resource).to.deep.equal({typeId: 'store', id: store.id})
    expect(born.resourceUserProvidedIdentifiers).to.deep.equal({key: 'berlin'})
    expect(born).to.include({resourceVersion: 1}).and.to.not.have.any.keys('key')
    expect(gone).to.include({type: 'StoreDeleted', sequenceNumber: 2, resourceVersion: 2})
    expect(results).to.have.length(2)
  })
})
