import {expect} from 'chai'
import type {Predicate} from '../../../src/query/ast.js'
import type {Page} from '../../../src/store/store.js'
import {equals, type Person, put, type Subject, times} from './subject.js'

/** Ranges of moments, and pages in their order, beside a plain model. */
export function momentsContract(subject: Subject): void {
  describe('moments', () => {
    it('finds ranges of moments, and pages in their order', async () => {
      // In any order, several at once, in two ways of writing, and some without.
      const at = (number: number) => new Date(Date.UTC(2026, 0, 1) + ((number * 7_919) % 400) * 1_000).toISOString()
      const written = (number: number) => (number % 3 ? at(number) : at(number).replace('Z', '+00:00'))
      const people = times(1_500, (number) => ({
        id: `q${String(number).padStart(5, '0')}`,
        name: number % 2 ? 'odd' : 'even',
        ...(number % 100 === 7 ? {} : {bornAt: written(number)}),
      }))
      await subject.commit(...people.map(({id, ...members}) => put(id, 1, members)))
      const first: Page = {limit: 1, offset: 0, sort: [{field: {path: ['bornAt'], type: 'datetime'}, direction: 'asc'}]}
      expect(await subject.ids(first)).to.have.lengthOf(1)
      // Once it knows the order: one gets another moment, one loses it, one goes, one comes.
      const changed = [
        {...people[0], bornAt: at(399)},
        {id: 'q00001', name: 'odd'},
        {id: 'r', bornAt: written(3)},
      ] as const
      await subject.commit(...changed.map(({id, ...members}) => put(id ?? '', id === 'r' ? 1 : 2, members)))
      await subject.commit({kind: 'people', expect: 1, remove: 'q00002'})
      const all: Person[] = [
        ...(await subject.store.query<Person>('shop', 'people', {limit: 5_000, offset: 0})).results,
      ]
      const moment = ({bornAt}: Person) => (bornAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(bornAt))
      const field = {path: ['bornAt'], type: 'datetime'} as const
      const bound = (comparison: '<' | '<=' | '>' | '>=' | '=', value: string): Predicate => ({
        ...{op: 'compare', comparison, value, field},
      })
      const wanted: [Predicate | undefined, (one: Person) => boolean][] = [
        [undefined, () => true],
        ...[3, 250, 399].flatMap((number): [Predicate, (one: Person) => boolean][] => {
          const value = at(number)
          const limit = Date.parse(value)
          return [
            [bound('>', value), (one) => one.bornAt !== undefined && moment(one) > limit],
            [bound('>=', written(number)), (one) => one.bornAt !== undefined && moment(one) >= limit],
            [bound('<', value), (one) => moment(one) < limit],
            [bound('=', value), (one) => moment(one) === limit],
            [
              {op: 'and', terms: [bound('<=', value), equals('name', 'odd')]},
              (one) => moment(one) <= limit && one.name === 'odd',
            ],
          ]
        }),
      ]
      const byText = (one: Person, other: Person) => Number(one.id > other.id) - Number(one.id < other.id)
      for (const [where, matches] of wanted) {
        const matching = all.filter(matches).sort(byText)
        const choice = where ? {where} : {}
        const {total} = await subject.store.query('shop', 'people', {
          limit: 0,
          offset: 0,
          ...choice,
          count: {cap: 9_999},
        })
        expect(total, JSON.stringify(where)).to.equal(matching.length)
        expect(await subject.ids({limit: 30, offset: 5, ...choice})).to.deep.equal(
          matching.slice(5, 35).map(({id}) => id),
        )
        for (const [direction, sign] of [['asc', 1] as const, ['desc', -1] as const]) {
          const order = [...matching].sort((one, other) => {
            const [mine, theirs] = [moment(one), moment(other)]
            return mine === theirs ? byText(one, other) : (mine < theirs ? -1 : 1) * sign
          })
          const page: Page = {limit: 40, offset: 10, ...choice, sort: [{field, direction}], count: {cap: 9_999}}
          const found = await subject.store.query('shop', 'people', page)
          expect(
            found.results.map(({id}) => id),
            `${JSON.stringify(where)} ${direction}`,
          ).to.deep.equal(order.slice(10, 50).map(({id}) => id))
          expect(found.total).to.equal(matching.length)
        }
      }
    })
  })
}
