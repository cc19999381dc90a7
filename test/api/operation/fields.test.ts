import {expect} from 'chai'
import {fieldsOf} from '../../../src/api/operation/collection-fields.js'
import {collections} from '../../../src/api/operation/collection-table.js'
import type {Shape} from '../../../src/query/ast.js'
import {referenceTypes} from '../../fixtures/reference/reference.js'
import {type Desk, openDesk} from '../harness.js'

const namesIn = (shape: Shape): string[] => ('members' in shape ? Object.keys(shape.members) : [])

/** Members that the platform shows and its reference leaves out. */
const undeclared = ['versionModifiedAt', 'lastMessageSequenceNumber']

describe('api · fields of queries', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk({seed: true})
  })
  after(() => desk.platform.state.close())

  const lists = [...collections.map(({typeId, segment, label, shape}) => ({typeId, segment, label, shape}))]

  for (const {segment, label, shape} of lists) {
    it(`knows the members of ${segment} as the reference has them`, () => {
      const declared = Object.keys(referenceTypes.get(label)?.members ?? {}).filter((name) => name !== 'password')
      expect(namesIn(shape).filter((name) => name !== 'lowercaseEmail')).to.have.members([...declared, ...undeclared])
    })
  }

  it('knows the members of every message', () => {
    const kinds = Object.values(referenceTypes.get('Message')?.kinds ?? {})
    const declared = new Set(kinds.flatMap((kind) => Object.keys(referenceTypes.get(kind)?.members ?? {})))
    expect(namesIn(fieldsOf('message'))).to.have.members([...declared, ...undeclared])
  })

  for (const {segment} of [...lists, {segment: 'messages'}]) {
    it(`refuses a field that does not exist in where and sort of ${segment}`, async () => {
      const where = await desk.ask('GET', `/${segment}?where=${encodeURIComponent('groupName = "VIP"')}`)
      expect([where.status, where.body.message]).to.deep.equal([
        400,
        "Malformed parameter: where: The field 'groupName' does not exist.",
      ])
      const sort = await desk.ask('GET', `/${segment}?sort=nope%20asc`)
      expect([sort.status, sort.body.errors[0].code]).to.deep.equal([400, 'InvalidInput'])
      expect(sort.body.message).to.match(/^Malformed parameter: sort: Invalid query field 'nope' in sort path\./)
      const known = await desk.ask('GET', `/${segment}?where=${encodeURIComponent('id is defined')}&sort=id%20asc`)
      expect(known.status).to.equal(200)
    })
  }
})
