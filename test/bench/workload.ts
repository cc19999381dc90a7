import {uniqueKeysOf} from '../../src/domain/customers/identity.js'
import type {Put} from '../../src/store/store.js'

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
const idOf = (at: number): string => {
  const digits = ((BigInt(at + 1) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn).toString(16).padStart(16, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13)}-a000-${String(at).padStart(12, '0')}`
}

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
