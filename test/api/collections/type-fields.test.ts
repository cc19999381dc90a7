import {expect} from 'chai'
import {type Body, type Desk, errorOf, openDesk, signedUp} from '../harness.js'

const field = (name: string, type: object) => ({name, type, label: {en: name}, required: false})

describe('api · fields of one name in several types', () => {
  let desk: Desk
  let made = 0
  before(async () => {
    desk = await openDesk()
  })
  after(() => desk.runtime.state.close())

  const create = (resourceTypeIds: readonly string[], ...fieldDefinitions: object[]) => {
    made += 1
    const body = {key: `type-${made}`, name: {en: 'Type'}, resourceTypeIds, fieldDefinitions}
    return desk.ask('POST', '/types', {body})
  }
  const change = ({id, version}: Body, ...actions: object[]) =>
    desk.ask('POST', `/types/${id}`, {body: {version, actions}})

  it('have one type wherever they are of one kind of resource', async () => {
    const first = (await create(['customer', 'order'], field('colour', {name: 'String'}))).body
    const refused = await create(['customer'], field('size', {name: 'Number'}), field('colour', {name: 'Number'}))
    expect([refused.status, errorOf(refused).code]).to.deep.equal([400, 'InvalidOperation'])
    expect(refused.body.message).to.include("'colour'").and.include(first.key)
    expect((await create(['order'], field('colour', {name: 'Set', elementType: {name: 'String'}}))).status).to.equal(
      400,
    )
    expect((await create(['address'], field('colour', {name: 'Number'}))).status).to.equal(201)
    expect((await create(['customer'], field('colour', {name: 'String'}))).status).to.equal(201)
    const added = {action: 'addFieldDefinition', fieldDefinition: field('colour', {name: 'Boolean'})}
    const empty = (await create(['order'])).body
    expect(errorOf(await change(empty, added))).to.include({code: 'InvalidOperation'})
  })

  it('may have other values of an enum, and references of one kind', async () => {
    const list = (key: string) => ({name: 'Enum', values: [{key, label: key}]})
    const to = (referenceTypeId: string) => ({name: 'Reference', referenceTypeId})
    expect((await create(['store'], field('size', list('s')), field('near', to('store')))).status).to.equal(400)
    expect((await create(['store'], field('size', list('s')), field('near', to('customer')))).status).to.equal(201)
    expect((await create(['store'], field('size', list('m')))).status).to.equal(201)
    expect((await create(['store'], field('near', to('cart')))).status).to.equal(400)
  })

  it('are kept to it by creations at the same time', async () => {
    const kinds = ['String', 'Number', 'Boolean', 'Date', 'Time']
    const answers = await Promise.all(kinds.map((name) => create(['quote'], field('same', {name}))))
    expect(answers.filter(({status}) => status === 201)).to.have.length(1)
    const alike = await Promise.all([1, 2, 3, 4].map(() => create(['review'], field('alike', {name: 'String'}))))
    expect(alike.map(({status}) => status)).to.deep.equal([201, 201, 201, 201])
  })

  it('lose the values of the former type when they are defined anew', async () => {
    const type = (await create(['customer'], field('anew', {name: 'String'}))).body
    const {id} = await signedUp(desk, {custom: {type: {id: type.id}, fields: {anew: 'text'}}})
    const again = {action: 'addFieldDefinition', fieldDefinition: field('anew', {name: 'Number'})}
    const changed = await change(type, {action: 'removeFieldDefinition', fieldName: 'anew'}, again)
    expect(changed.status).to.equal(200)
    expect((await desk.ask('GET', `/customers/${id}`)).body.custom.fields).to.deep.equal({})
  })
})
