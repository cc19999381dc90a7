import {dataFile} from '../catalogue/index.js'

/** The type that a selection set stands on. A page is the query result around it, whose `results` are of the type. */
export interface ParentType {
  readonly type: string
  readonly isPage?: true
}

type Fields = Readonly<Record<string, string>>

/**
 * Fields by the types that they lead to; `[]` stands for a page. `resources` are types whose queries and mutations have
 * the usual names too. `below`: fields whose name says something only there.
 */
const types = dataFile('graphql-types.json') as {readonly resources: string; readonly below: Fields} & Readonly<
  Record<'queries' | 'mutations' | 'nested', Fields>
>

const parentType = (type: string): ParentType =>
  type.endsWith('[]') ? {type: type.slice(0, -2), isPage: true} : {type}

const byField = (fields: Fields): ReadonlyMap<string, ParentType> =>
  new Map(Object.entries(fields).flatMap(([type, names]) => names.split(' ').map((name) => [name, parentType(type)])))

const resources = types.resources
  .split(' ')
  .map((type) => ({type, field: type.charAt(0).toLowerCase() + type.slice(1)}))
const queries = new Map<string, ParentType>([
  ...resources.map(({type, field}) => [field, {type}] as const),
  ...resources.map(({type, field}) => [`${field.replace(/y$/, 'ie')}s`, {type, isPage: true}] as const),
  ...byField(types.queries),
])
const verbs = ['create', 'createMy', 'update', 'updateMy', 'delete', 'deleteMy']
const mutations = new Map<string, ParentType>([
  ...verbs.flatMap((verb) => resources.map(({type}) => [verb + type, {type}] as const)),
  ...byField(types.mutations),
])
const nested = byField(types.nested)
const below = new Map(Object.entries(types.below).map(([field, type]) => [field, parentType(type)]))

const queryTypes = new Set(['Query', 'Me', 'InStore', 'InStoreMe', 'AsAssociate'])

const mutationViews = new Set(['inStore', 'asAssociate'])

/** The type of a name, as fragments give it. */
export const parentTypeOf = (name: string): ParentType => {
  if (queryTypes.has(name)) return {type: 'Query'}
  const page = /^(\w+)QueryResult$/.exec(name)?.[1]
  return page === undefined ? {type: name.replace(/^My(?=Payment$|Order$|Cart$)/, '')} : {type: page, isPage: true}
}

/** Where a field leads from where it stands; nothing where its name does not tell. */
export const typeOfField = (from: ParentType | undefined, field: string): ParentType | undefined => {
  if (from?.isPage) return field === 'results' ? {type: from.type} : undefined
  if (from?.type === 'Query') return queries.get(field)
  if (from?.type === 'Mutation') return mutationViews.has(field) ? {type: 'Mutation'} : mutations.get(field)
  if (field === 'custom') return {type: 'CustomFieldsType'}
  return (from && below.get(`${from.type}.${field}`)) ?? nested.get(field)
}
