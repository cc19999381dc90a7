import {expect} from 'chai'
import {operations} from '../../../src/api/index.js'
import {fieldsOf} from '../../../src/api/operation/collection-fields.js'
import {collections} from '../../../src/api/operation/collection-table.js'
import type {Shape} from '../../../src/query/ast.js'
import {referenceTypes} from '../../fixtures/reference/reference.js'
import {type Desk, openDesk} from '../harness.js'
import {answerOf, differencesIn, undeclared} from './reference-check.js'

const namesIn = (shape: Shape): string[] => ('members' in shape ? Object.keys(shape.members) : [])

/** Paths outside of the reference of the HTTP API, and why they are served. */
const beside: readonly [RegExp, string][] = [
  [/\/_frontdesk\//, 'administration of this server'],
  [/^\/oauth\//, 'the reference has the authorization server elsewhere'],
  [/\/graphql$/, 'has a schema of its own'],
  [/\/in-store\/.*\/me\/quotes/, 'the documentation of My Quotes has them'],
  [/\/me\/carts\/key=/, 'the documentation of My Carts has them'],
]

describe('api · fields of queries', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk({seed: true})
  })
  after(() => desk.platform.state.close())

  for (const {segment, label, shape} of collections) {
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

  it('serves the operations of the reference, and beside them only what it has to', () => {
    const others = operations.filter(
      (one) => one.area !== 'Probes' && one.method !== 'HEAD' && answerOf(one) === undefined,
    )
    const reasonOf = (path: string): string | undefined => beside.find(([pattern]) => pattern.test(path))?.[1]
    expect(others.filter(({path}) => reasonOf(path) === undefined).map(({id}) => id)).to.deep.equal([])
    expect(new Set(others.map(({path}) => reasonOf(path))).size).to.equal(beside.length)
  })

  it('tells a member that is missing, surplus or of another type', () => {
    const reference = {typeId: 'customer', id: 'x', obj: {}, more: 1}
    const by = {clientId: 1, customer: reference}
    expect(differencesIn('LastModifiedBy', by)).to.include.members([
      'CustomerReference.more is surplus',
      'LastModifiedBy.clientId is no string',
      'Customer.version is missing',
    ])
    expect(differencesIn('Message[]', [{type: 'Nothing'}])).to.deep.equal(['Message: type is Nothing'])
  })

  for (const {segment} of [...collections, {segment: 'messages'}]) {
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
