import {collections} from '../../api/operation/collection-table.js'
import {periodOf, type Retention} from '../../api/operation/retention.js'
import {storedKinds, usedDay} from '../../api/operation/stored-kinds.js'
import {byKey, customerFacets, member} from '../../domain/customers/identity.js'
import {memberOf} from '../../domain/equal.js'
import {searchText, searchVersion} from '../../domain/search/search-text.js'
import {lettersIn, patternOf} from '../../domain/search/unparsed.js'
import type {SearchTexts} from '../../store/searchable.js'
import type {Facet, Facets} from '../../store/store.js'

const nestedIdOf = (name: string) => (document: object) => {
  const id = memberOf(memberOf(document, name), 'id')
  return typeof id === 'string' ? id : undefined
}

/** A facet that many documents share. */
const common = (facet: Facet): Facet => Object.assign(facet, {isCommon: true as const})

function endOf(retention: Retention): Facet {
  const facet = common((document) => periodOf(retention, document))
  return retention.member === undefined ? facet : Object.assign(facet, {orders: retention.member})
}

/** The days by which the sweeper finds what has ended. */
const timesOf: Facets = Object.fromEntries(
  storedKinds.map(({kind, retention}) => [kind, retention ? {[retention.facet]: endOf(retention)} : {}]),
)

const key = {key: Object.assign(member('key'), {uniqueKey: byKey})}
const tokenFacets = {customerId: member('customerId'), clientId: common(member('clientId'))}

const byValue: Facets = {
  customer: customerFacets,
  'one-time-token': {customerId: member('customerId')},
  token: tokenFacets,
  'refresh-token': {...tokenFacets, usedDay: common(usedDay)},
  'api-client': {projectKey: common(member('projectKey'))},
  message: {type: common(member('type')), customerId: member('customerId'), resourceId: nestedIdOf('resource')},
  cart: {anonymousId: member('anonymousId')},
  'business-unit': key,
}

/** The customer that a document belongs to. */
const ownerOf = (document: object) => member('customerId')(document) ?? nestedIdOf('customer')(document)

const byOwner: Facets = Object.fromEntries(
  collections.flatMap(({typeId, owner}) => (owner === 'customer' ? [[typeId, {...key, customerId: ownerOf}]] : [])),
)

/**
 * The secondary indexes of stores by kind, beside ids and unique keys. A facet with the name of a member serves
 * predicates on that member.
 */
export const facets: Facets = Object.fromEntries(
  storedKinds.flatMap(({kind}) => {
    const ofKind = {...byOwner[kind], ...byValue[kind], ...timesOf[kind]}
    return Object.keys(ofKind).length === 0 ? [] : [[kind, ofKind]]
  }),
)

/** What stores find documents by in a search, by kind. */
export const searchTexts: SearchTexts = {
  customer: {version: searchVersion, textOf: searchText, unparsed: {lettersIn, patternOf}},
}
