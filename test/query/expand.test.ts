import {expect} from 'chai'
import fc from 'fast-check'
import {
  type ExpandBudget,
  type ExpandPath,
  expandAll,
  type Load,
  parseExpand,
  type Reference,
  referenceKey,
} from '../../src/query/expand.js'
import {QueryError} from '../../src/query/query-error.js'

const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}

const to = (typeId: string, id: string): Reference => ({typeId, id})

const stored = new Map<string, object>(
  Object.entries({
    'customer-group/vip': {
      id: 'vip',
      name: 'VIP',
      custom: {type: to('type', 't'), fields: {boss: to('customer', 'bob')}},
    },
    'customer-group/new': {id: 'new', name: 'New'},
    'type/t': {id: 't', key: 'group-type'},
    'customer/bob': {id: 'bob', customerGroup: to('customer-group', 'vip')},
  }).map(([key, resource]) => [key, deepFreeze(resource)]),
)

/** So many bytes and references. */
function budget(most = Number.POSITIVE_INFINITY, references = Number.POSITIVE_INFINITY): ExpandBudget {
  const left = {bytes: most, references}
  const hasRoom = (bytes: number, shown: number) => bytes <= left.bytes && shown <= left.references
  return {
    bytesOf: (document) => JSON.stringify(document).length,
    hasRoom,
    fits: (bytes, shown) => {
      if (!hasRoom(bytes, shown)) return false
      left.bytes -= bytes
      left.references -= shown
      return true
    },
    pause: () => undefined,
  }
}

const expand = async <D extends object>(document: D, paths: readonly ExpandPath[], load: Load, given: ExpandBudget) =>
  (await expandAll([document], paths, load, given)).results[0] as D

function loader(): {load: Load; batches: string[][]} {
  const batches: string[][] = []
  return {
    batches,
    load: async (references) => {
      const keys = references.map(referenceKey)
      batches.push(keys)
      return new Map(keys.flatMap((key) => (stored.has(key) ? [[key, stored.get(key) as object] as const] : [])))
    },
  }
}

const ada = deepFreeze({
  id: 'ada',
  customerGroup: to('customer-group', 'vip'),
  customerGroupAssignments: [
    {customerGroup: to('customer-group', 'new')},
    {customerGroup: to('customer-group', 'vip')},
  ],
  stores: [{typeId: 'store', key: 'berlin'}],
  custom: {type: to('type', 't'), fields: {friends: [to('customer', 'bob'), to('customer', 'gone')], size: 5}},
})

describe('query · expand paths', () => {
  it('reads segments with elements', () => {
    expect(parseExpand(['lineItems[*].state[0].state'])).to.deep.equal([
      [{name: 'lineItems', at: '*'}, {name: 'state', at: 0}, {name: 'state'}],
    ])
    expect(parseExpand([])).to.deep.equal([])
    expect(parseExpand(['__proto__', 'constructor'])).to.have.lengthOf(2)
  })

  it('refuses ill-formed paths', () => {
    for (const text of [
      '',
      'a..b',
      '.a',
      'a.',
      'a[',
      'a[]',
      'a[-1]',
      'a[*',
      'a[x]',
      'a b',
      'a[*][*]',
      'a\n',
      'ä',
      'a,b',
      'a[1e3]',
    ]) {
      expect(() => parseExpand([text]), text).to.throw(QueryError, /^Malformed parameter: expand: /)
    }
    expect(() => parseExpand(['a'.repeat(501)])).to.throw(QueryError, 'at most 500 characters')
  })

  it('limits number and depth', () => {
    expect(parseExpand(Array.from({length: 20}, () => 'a'))).to.have.lengthOf(20)
    expect(() => parseExpand(Array.from({length: 21}, () => 'a'))).to.throw(QueryError, 'at most 20 times')
    expect(parseExpand(['lineItems[*].discountedPrice.includedDiscounts[*].discount'])[0]).to.have.lengthOf(4)
    expect(parseExpand(['a.b.c.d.e.f.g.h'])[0]).to.have.lengthOf(8)
    expect(() => parseExpand(['a.b.c.d.e.f.g.h.i'])).to.throw(QueryError, 'deeper than 8 segments')
  })

  it('throws nothing but QueryError for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({unit: 'binary'})), (text) => {
        try {
          parseExpand([text])
        } catch (error) {
          expect(error).to.be.instanceOf(QueryError)
        }
      }),
    )
  })
})

describe('query · expand', () => {
  it('puts obj beside a reference and leaves the document alone', async () => {
    const expanded = await expand(ada, parseExpand(['customerGroup']), loader().load, budget())
    expect(expanded.customerGroup).to.deep.equal({...ada.customerGroup, obj: stored.get('customer-group/vip')})
    expect(ada.customerGroup).not.to.have.property('obj')
    expect(expanded.custom).to.equal(ada.custom)
  })

  it('goes through references, one batch a level', async () => {
    const {load, batches} = loader()
    const paths = parseExpand(['customerGroup.custom.type', 'customerGroupAssignments[*].customerGroup', 'custom.type'])
    const expanded = await expand(ada, paths, load, budget())
    expect(batches).to.deep.equal([['customer-group/vip', 'customer-group/new', 'type/t']])
    expect(expanded).to.have.nested.property('customerGroup.obj.custom.type.obj.key', 'group-type')
    expect(expanded).to.have.nested.property('customerGroupAssignments[1].customerGroup.obj.name', 'VIP')
    expect(expanded).not.to.have.nested.property('customerGroupAssignments[1].customerGroup.obj.custom.type.obj')
    expect(expanded).to.have.nested.property('custom.type.obj.id', 't')
  })

  it('expands elements and reference fields, and leaves dangling references', async () => {
    const {load, batches} = loader()
    const everyFriend = parseExpand(['custom.fields.friends[*].customerGroup'])
    const firstFriend = parseExpand(['custom.fields.friends[0].customerGroup']).map((path) => [
      ...path,
      {name: 'custom'},
      {name: 'type'},
    ])
    const groups = parseExpand([
      'customerGroupAssignments[1].customerGroup',
      'customerGroupAssignments[7].customerGroup',
    ])
    const paths = [...everyFriend, ...firstFriend, ...everyFriend, ...groups]
    const expanded = await expand(ada, paths, load, budget())
    expect(expanded).to.have.nested.property('custom.fields.friends[0].obj.customerGroup.obj.custom.type.obj.id', 't')
    expect(expanded.custom.fields.friends[1]).to.deep.equal(to('customer', 'gone'))
    expect(expanded.customerGroupAssignments[0]).to.equal(ada.customerGroupAssignments[0])
    expect(expanded).to.have.nested.property('customerGroupAssignments[1].customerGroup.obj.id', 'vip')
    expect(batches).to.deep.equal([['customer/bob', 'customer/gone', 'customer-group/vip'], ['type/t']])
  })

  it('changes nothing for paths that lead nowhere', async () => {
    const {load, batches} = loader()
    const paths = parseExpand([
      'nothing',
      '__proto__',
      'constructor.name',
      'stores[*]',
      'id',
      'custom[*]',
      'stores',
      'id.x',
    ])
    expect(await expand(ada, paths, load, budget())).to.deep.equal(ada)
    expect(batches).to.deep.equal([])
  })

  it('loads once for many documents, and stops at cycles', async () => {
    const {load, batches} = loader()
    const bob = stored.get('customer/bob') as object
    const all = await expandAll([ada, bob], parseExpand(['customerGroup.custom.fields.boss']), load, budget())
    expect(batches).to.deep.equal([['customer-group/vip'], ['customer/bob']])
    expect(all.results[1]).to.have.nested.property('customerGroup.obj.custom.fields.boss.obj.id', 'bob')
    expect(all.results[1]).not.to.have.nested.property('customerGroup.obj.custom.fields.boss.obj.customerGroup.obj')
  })

  it('shows as many documents as fit, and refuses the first that does not', async () => {
    const group = {typeId: 'customer-group', id: 'g'}
    const load = async () => new Map([[referenceKey(group), {id: 'g'}]])
    const page = (count: number) => Array.from({length: count}, () => ({groups: Array(100).fill(group)}))
    const paths = parseExpand(['groups[*]'])
    for (const [fitting, shown] of [
      [budget(Number.POSITIVE_INFINITY, 1_000), 10],
      [budget(Number.POSITIVE_INFINITY, 1_099), 10],
      [budget(JSON.stringify({groups: Array(100).fill({...group, obj: {id: 'g'}})}).length * 3, 1_000), 3],
    ] as const) {
      const {results, isCut} = await expandAll(page(12), paths, load, fitting)
      expect([results.length, isCut]).to.deep.equal([shown, true])
      expect(results.at(-1)).to.have.nested.property('groups[99].obj.id', 'g')
    }
    expect(await expandAll(page(10), paths, load, budget(1e9, 1_000))).to.include({isCut: false})
    const refused = await expand(page(1)[0] as object, paths, load, budget(1e9, 99)).catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(QueryError).and.have.property('message').that.includes('expand')
  })

  it('stops loading when what is loaded does not fit', async () => {
    let loaded = 0
    const load: Load = async (references) => {
      loaded += references.length
      return new Map(
        references.map((reference) => [referenceKey(reference), {id: reference.id, text: 'x'.repeat(1_000)}]),
      )
    }
    const types = Array.from({length: 5_000}, (_, at) => ({type: to('type', String(at))}))
    const paths = parseExpand(['types[*].type'])
    const refused = await expand({types}, paths, load, budget(150_000)).catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(QueryError)
    expect(loaded).to.equal(200)
  })
})
