import {expect} from 'chai'
import {catalogue} from '../../src/deprecations/catalogue/index.js'
import {statusOf} from '../../src/deprecations/dates.js'
import {
  areas,
  type DeprecationFilter,
  detailsOf,
  getDeprecation,
  listDeprecations,
  listing,
  rowOf,
  scopeRows,
} from '../../src/deprecations/list.js'

const ids = (filter: DeprecationFilter) => listDeprecations(filter).map(({id}) => id)

const statusOn = (id: string, day?: string) => {
  const entry = getDeprecation(id)
  return entry && statusOf(entry, day)
}

describe('deprecations · list', () => {
  it('lists everything without a filter', () => {
    expect(listDeprecations()).to.have.length(catalogue.length)
  })

  it('filters by area without regard to case', () => {
    expect(ids({area: ' customers '})).to.deep.equal(['customers-change-name', 'customers-anonymous-cart-id'])
    expect(ids({area: 'nowhere'})).to.deep.equal([])
    expect(areas()).to.include.members(['Customers', 'GraphQL', 'Messages'])
    expect(ids({area: 'messages'})).to.deep.equal(['messages-payment-id', 'orders-scopes-elsewhere'])
    expect(ids({area: 'Discount Codes'})).to.deep.equal(['orders-scopes-elsewhere'])
  })

  it('filters by kind and by status, which together split the catalogue', () => {
    const kinds = (['rest', 'graphql', 'scope'] as const).map((kind) => listDeprecations({kind}).length)
    expect(kinds.reduce((sum, count) => sum + count)).to.equal(catalogue.length)
    const deprecated = listDeprecations({status: 'deprecated'}).length
    expect(deprecated + listDeprecations({status: 'removed'}).length).to.equal(catalogue.length)
  })

  it('counts replaced, migrated, performed and effective as the end', () => {
    const removed = ids({status: 'removed'})
    expect(removed).to.include.members([
      'import-sink',
      'product-selections-inclusion-exclusion',
      'change-history-set-name-change',
      'graphql-scope-state-query',
      'recurrence-policies-scopes',
    ])
  })

  it('looks for the deprecation in a window, or for the removal when removed ones are asked for', () => {
    expect(ids({since: '2025-10-24'})).to.deep.equal(['recurrence-policies-scopes'])
    expect(ids({since: '2026-01-01', status: 'removed'})).to.deep.equal(['recurrence-policies-scopes'])
    expect(ids({before: '2016-01-01'})).to.deep.equal(['carts-discounted-price'])
    expect(ids({since: '2015-10-12', before: '2015-10-13'})).to.deep.equal(['carts-discounted-price'])
    expect(ids({before: '2015-10-12'})).to.deep.equal([])
  })

  it('keeps what is not dated out of every window', () => {
    expect(ids({since: '1990-01-01'})).not.to.include('custom-objects-query-all')
    expect(ids({before: '2090-01-01'})).not.to.include('custom-objects-query-all')
  })

  it('searches words in any order, and code names without their backticks', () => {
    expect(ids({search: 'UPDATE name Change'})).to.deep.equal(['customers-change-name'])
    expect(ids({search: 'anonymousCartId in CustomerDraft'})).to.deep.equal(['customers-anonymous-cart-id'])
    expect(ids({search: '.*'})).to.deep.equal([])
  })

  it('tells of each day what is deprecated, removed and still to come', () => {
    const id = 'recurrence-policies-scopes'
    expect(statusOn(id)).to.equal('removed')
    expect(statusOn(id, '2025-12-11')).to.equal('upcoming')
    expect(statusOn(id, '2025-12-12')).to.equal('deprecated')
    expect(statusOn(id, '2026-03-18')).to.equal('deprecated')
    expect(statusOn(id, '2026-03-19')).to.equal('removed')
    expect(statusOn('graphql-scope-state-query', '2020-11-01')).to.equal('upcoming')
    expect(statusOn('graphql-scope-state-query', '2020-11-02')).to.equal('removed')
    expect(ids({asOf: '2015-12-31', status: 'deprecated'})).to.deep.equal(['carts-discounted-price'])
  })

  it('does not pretend to know since when an undated thing is deprecated', () => {
    const id = 'product-search-projection-parameters'
    expect(statusOn(id)).to.equal('deprecated')
    expect(statusOn(id, '2030-01-01')).to.equal('deprecated')
    expect(statusOn(id, '2019-01-01')).to.equal('unknown')
    expect(statusOn('custom-objects-query-all', '2019-01-01')).to.equal('unknown')
  })

  it('finds an entry by id, or names the nearest', () => {
    expect(getDeprecation(' Import-Sink ')?.item).to.equal('Import Sink')
    for (const id of ['import-snk', '', '__proto__']) expect(getDeprecation(id), id).to.equal(undefined)
  })

  it('lists the changed scopes per type and operation', () => {
    const changes = catalogue.flatMap(({scope}) => scope ?? [])
    expect(changes).to.have.length(17)
    expect(changes[0]).to.deep.equal({
      type: 'Cart',
      operation: 'mutation',
      previous: 'manage_project',
      current: 'manage_orders',
    })
    const custom = changes.find(({type, operation}) => type === 'CustomObject' && operation === 'query')
    expect(custom?.current).to.equal('view_key_value_documents')
  })

  it('tells every changed scope with the day since when', () => {
    const rows = scopeRows()
    expect(rows).to.have.length(19)
    expect(rows.at(-1)).to.deep.equal({
      id: 'recurrence-policies-scopes',
      type: 'Recurrence Policies',
      operation: 'endpoints',
      previous: 'manage_recurring_orders',
      current: 'manage_recurrence_policies',
      effective: '2026-03-19',
    })
    expect(new Set(rows.slice(0, 17).map(({effective}) => effective))).to.deep.equal(new Set(['2020-11-02']))
  })

  it('tells details in the interface’s own words', () => {
    const entry = getDeprecation('change-history-set-name-change')
    expect(entry && detailsOf(entry)).to.deep.include({
      status: 'removed',
      dates: {announced: '2023-07-18', performed: '2023-10-18'},
      isChecked: true,
    })
  })

  it('shows rows with the same members always, null where the interface has no date', () => {
    const {count, results} = listing()
    expect(count).to.equal(results.length)
    for (const row of results) {
      const dates = ['deprecated', 'removed', 'status']
      expect(row).to.have.all.keys('id', 'area', 'item', 'kind', 'alternative', ...dates, 'source')
    }
    const undated = results.find(({id}) => id === 'custom-objects-query-all')
    expect(undated).to.include({deprecated: null, removed: null, status: 'removed'})
    expect(results.find(({id}) => id === 'change-history-set-name-change')).to.include({
      deprecated: '2023-07-18',
      removed: '2023-10-18',
    })
    const entry = getDeprecation('import-sink')
    expect(entry && rowOf(entry, '2021-09-01').status).to.equal('deprecated')
  })
})
