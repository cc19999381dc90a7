import {failedSignIns, hourOf} from '../../api/sign-in/lockout.js'
import {customerFacets} from '../../domain/customers/identity.js'
import {searchText, searchVersion} from '../../domain/customers/search.js'
import {isoDay} from '../../domain/iso-time.js'
import type {Facet, Facets, SearchTexts} from '../../store/store.js'

const member = (name: string) => (document: object) => {
  const value: unknown = Reflect.get(document, name)
  return typeof value === 'string' ? value : undefined
}

function nestedIdOf(name: string) {
  return (document: object): string | undefined => {
    const reference: unknown = Reflect.get(document, name)
    const id: unknown = typeof reference === 'object' && reference !== null ? Reflect.get(reference, 'id') : undefined
    return typeof id === 'string' ? id : undefined
  }
}

/** A facet that many documents share. */
const common = (facet: Facet): Facet => Object.assign(facet, {isCommon: true as const})

/** A facet with the UTC day, or hour, of a member in milliseconds. */
const timeIn = (name: string, timeOf: (milliseconds: number) => string): Facet =>
  common((document: object) => {
    const value: unknown = Reflect.get(document, name)
    return typeof value === 'number' ? timeOf(value) : undefined
  })

const key = {key: member('key')}
const tokenFacets = {
  customerId: member('customerId'),
  clientId: common(member('clientId')),
  endDay: timeIn('expiresAt', isoDay),
}

/**
 * The secondary indexes of stores by kind, beside ids and unique keys. A facet with the name of a member serves
 * predicates on that member.
 */
export const facets: Facets = {
  customer: customerFacets,
  'one-time-token': {customerId: member('customerId')},
  token: tokenFacets,
  'refresh-token': {...tokenFacets, usedDay: timeIn('lastUsedAt', isoDay)},
  [failedSignIns]: {endHour: timeIn('expiresAt', hourOf)},
  'api-client': {projectKey: common(member('projectKey'))},
  message: {type: common(member('type')), customerId: member('customerId'), resourceId: nestedIdOf('resource')},
  cart: {...key, customerId: member('customerId'), anonymousId: member('anonymousId')},
  quote: {...key, customerId: nestedIdOf('customer')},
  'quote-request': {...key, customerId: nestedIdOf('customer')},
  'staged-quote': {...key, customerId: nestedIdOf('customer')},
  'business-unit': key,
}

/** What stores find documents by in a search, by kind. */
export const searchTexts: SearchTexts = {customer: {version: searchVersion, textOf: searchText}}
