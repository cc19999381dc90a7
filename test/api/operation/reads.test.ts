import {expect} from 'chai'
import {operations} from '../../../src/api/index.js'
import type {AnyOperation} from '../../../src/api/operation/operation.js'
import {adminOperations} from '../../../src/server/local/admin.js'
import {type Answer, type Desk, openDesk} from '../harness.js'
import {administrative, type Case, cases} from './read-cases.js'
import {observed} from './reads.js'

/** An operation without its twin in stores and its two ways to name a resource. */
const baseOf = (id: string): string => id.replace(/(ByKey|ById)?(InStore)?$/, '')

const writing = operations.filter(({method, permission}) => method === 'POST' || method === 'DELETE' || !permission)

/** Those that store nothing, whatever they are asked; and the one that calls the others. */
const readers = ['searchCustomers', 'introspectToken', 'queryGraphql']
const storing = writing.filter(({id}) => !readers.includes(baseOf(id)))

/** Why each operation may rest on what its commits do not expect, by kind. */
const declared = new Map(
  [...operations, ...Object.values(adminOperations)].map(({id, unexpected = {}}: AnyOperation) => [
    baseOf(id),
    unexpected,
  ]),
)

const all: Readonly<Record<string, readonly Case[]>> = {...cases, ...administrative}

describe('api · decisions on what is stored', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk({seed: true})
  })

  it('are tried of every operation that stores something', () => {
    const tried = new Set(Object.keys(cases).map(baseOf))
    const ids = new Set(storing.map(({id}) => baseOf(id)))
    expect([...ids].filter((id) => !tried.has(id))).to.deep.equal([])
    expect([...tried].filter((id) => !ids.has(id))).to.deep.equal([])
    expect(readers.filter((reader) => !writing.some(({id}) => id === reader))).to.deep.equal([])
  })

  for (const [id, requests] of Object.entries(all)) {
    it(`${id} expects or requires what it read, or says why not`, async () => {
      const kinds = new Set<string>()
      for (const one of requests) {
        desk = await openDesk({seed: true})
        // What it sweeps rests on no request.
        Object.assign(desk.runtime.sweeper, {due: () => undefined, added: async () => undefined})
        const ask = await one(desk)
        const ended = observed(
          desk.runtime.state,
          operations.find((known) => baseOf(known.id) === id),
        )
        const answer = (await ask()) as Partial<Answer>
        for (const kind of ended()) kinds.add(kind)
        expect(answer.status ?? 200, JSON.stringify(answer.body)).to.be.below(300)
      }
      const reasons = declared.get(baseOf(id)) ?? {}
      const unsaid = [...kinds].filter((kind) => !(kind in reasons))
      expect(unsaid, 'read, and neither expected nor required').to.deep.equal([])
      expect(
        Object.keys(reasons).filter((kind) => !kinds.has(kind)),
        'said, and not read',
      ).to.deep.equal([])
    })
  }
})
