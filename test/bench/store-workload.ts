import {uniqueKeysOf} from '../../src/domain/customers/identity.js'
import type {Predicate} from '../../src/query/ast.js'
import type {OpenedStore} from '../../src/store/opened-store.js'
import type {Change, Put} from '../../src/store/store.js'

/** One workload for every store behind the port. */

export interface Measurement {
  readonly name: string
  readonly value: number
  readonly unit: string
}

/** A stored customer of about 1,280 bytes of JSON, as in the measurements of lowdb. */
export function customer(at: number, version = 1): Put {
  const address = (id: string, city: string) => ({
    id,
    firstName: 'Ada',
    lastName: `Lovelace ${at % 977}`,
    streetName: 'Hauptstraße',
    streetNumber: `${at % 200}`,
    postalCode: `${10_000 + (at % 89_999)}`,
    city,
    country: 'DE',
    phone: `+49 30 ${5_550_000 + at}`,
  })
  const when = new Date(1_700_000_000_000 + at * 1000).toISOString()
  const by = {clientId: 'client-of-the-shop', isPlatformClient: false}
  const doc = {
    id: idOf(at),
    version,
    createdAt: when,
    lastModifiedAt: when,
    versionModifiedAt: when,
    createdBy: by,
    lastModifiedBy: by,
    customerNumber: `C-${at}`,
    key: `key-${at}`,
    externalId: `crm-${at}`,
    email: `Customer-${at}@example.com`,
    firstName: 'Ada',
    lastName: `Lovelace ${at % 977}`,
    companyName: `Company ${at % 101}`,
    addresses: [address('a1', 'Berlin'), address('a2', 'Hamburg'), address('a3', 'München')],
    defaultShippingAddressId: 'a1',
    shippingAddressIds: ['a1'],
    billingAddressIds: ['a2'],
    isEmailVerified: at % 2 === 0,
    customerGroup: {typeId: 'customer-group', id: `group-${at % 20}`},
    customerGroupAssignments: [],
    stores: [],
    authenticationMode: 'Password',
    password: '****x1y',
    custom: {type: {typeId: 'type', id: 'loyalty'}, fields: {points: at % 5000, tier: 'gold'}},
    lastMessageSequenceNumber: 1,
  }
  return {kind: 'customer', expect: version - 1, doc, uniqueKeys: uniqueKeysOf(doc)}
}

/** Spread like random ids, so that they do not arrive in the order of an index. */
export const idOf = (at: number): string => {
  const digits = ((BigInt(at + 1) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn).toString(16).padStart(16, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13)}-a000-${String(at).padStart(12, '0')}`
}

const credential = (at: number): Put => ({
  kind: 'credential',
  expect: 0,
  doc: {
    id: idOf(at),
    version: 1,
    passwordHash: '$2b$10$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234',
    epoch: 1,
  } as Put['doc'],
})

const equals = (name: string, value: string): Predicate => ({
  op: 'compare',
  comparison: '=',
  value,
  field: {path: [name], type: 'string'},
})

export async function perSecond(count: number, atOnce: number, one: (at: number) => Promise<unknown>): Promise<number> {
  const started = performance.now()
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1
      await one(next - 1)
    }
  }
  await Promise.all(Array.from({length: atOnce}, worker))
  return (count / (performance.now() - started)) * 1000
}

/** Customers with their credentials, in commits of 1,000 changes, four at once: the way of an import. */
export async function fill(store: OpenedStore, from: number, to: number): Promise<number> {
  const step = 500
  const commits = Math.ceil((to - from) / step)
  const rate = await perSecond(commits, 4, async (at) => {
    const changes: Change[] = []
    for (let index = from + at * step; index < Math.min(to, from + (at + 1) * step); index += 1) {
      changes.push(customer(index), credential(index))
    }
    await store.commit('bench', changes)
  })
  return rate * step
}

/** Reads, queries and writes over a store that `fill` has filled, by one caller and by sixteen. */
export async function requests(store: OpenedStore, customers: number): Promise<Measurement[]> {
  const pick = (at: number): number => (at * 7919) % customers
  const query = (at: number, where: Predicate) =>
    store.query('bench', 'customer', {where, limit: 20, offset: 0, count: {cap: 10_000}}).then(({results}) => {
      if (results.length !== 1) throw new Error(`${at}: ${results.length} results`)
    })
  const rows: [string, number, (at: number) => Promise<unknown>][] = [
    ['get by id', 20_000, (at) => store.get('bench', 'customer', idOf(pick(at)))],
    [
      'find by email claim',
      20_000,
      (at) => store.find('bench', 'customer', `email:*:customer-${pick(at)}@example.com`),
    ],
    ['query email = …', 10_000, (at) => query(at, equals('email', `Customer-${pick(at)}@example.com`))],
    ['query externalId = …', 10_000, (at) => query(at, equals('externalId', `crm-${pick(at)}`))],
    ['update', Math.min(5_000, customers), (at) => store.commit('bench', [customer(pick(at), 2)])],
    [
      'create with credential',
      5_000,
      (at) => store.commit('bench', [customer(customers + at), credential(customers + at)]),
    ],
    [
      'create, completing later',
      5_000,
      (at) =>
        store.commit('bench', [customer(customers + 5_000 + at)], () =>
          Promise.resolve([credential(customers + 5_000 + at)]),
        ),
    ],
  ]
  const measured: Measurement[] = []
  for (const [name, count, one] of rows) {
    for (const atOnce of [1, 16]) {
      const some = atOnce === 1 ? count / 10 : count - count / 10
      const first = atOnce === 1 ? 0 : count / 10
      measured.push({
        name: `${name}, ${atOnce} at once`,
        value: await perSecond(some, atOnce, (at) => one(first + at)),
        unit: '/s',
      })
    }
  }
  const scan: Predicate = {...equals('lastName', 'nobody')}
  const scanned = await perSecond(1, 1, () => store.query('bench', 'customer', {where: scan, limit: 20, offset: 0}))
  measured.push({name: 'predicate without an index, once', value: 1000 / scanned, unit: 'ms'})
  const counted = await perSecond(100, 1, () =>
    store.query('bench', 'customer', {limit: 0, offset: 0, count: {cap: 1e9}}),
  )
  measured.push({name: 'count of all', value: 1000 / counted, unit: 'ms'})
  return measured
}
