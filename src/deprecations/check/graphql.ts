import type {ASTVisitor, DocumentNode, FieldNode, ValueNode} from 'graphql'
import {dataFile} from '../catalogue/index.js'
import {checkBody} from './body.js'
import type {FileContext, Operation} from './context.js'
import {checkName, type Emit} from './rules.js'
import {memberOf, type Node, nestedDeeper, type ObjectNode, offsetAt, type Text} from './tree.js'

interface DocumentContext {
  readonly text: Text
  readonly emit: Emit
  readonly operations: Operation[]
  /** Values that a request gives its variables. */
  readonly variables: Node | undefined
}

const maxDepth = 200

/**
 * Finds uses in a GraphQL document: fields selected on a type, arguments, inputs, type names. Gathers its operations for
 * the check of scopes. Returns why the text is no document, and where (an offset in the file).
 */
export const checkGraphql = async (
  text: Text,
  {emit, gathered: {operations}}: FileContext,
  variables?: Node,
): Promise<{readonly message: string; readonly offset: number} | undefined> => {
  if (nestedDeeper(text.value, /[{}[\]()]/g, maxDepth) !== undefined)
    return {message: 'nested too deep', offset: offsetAt(text, 0)}
  const {parse, visit, GraphQLError} = await import('graphql')
  let document: DocumentNode
  try {
    document = parse(text.value, {maxTokens: 200_000})
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    return {message: error.message, offset: offsetAt(text, error.positions?.[0] ?? 0)}
  }
  const visitor = visitorFor({text, emit, operations, variables})
  for (const definition of document.definitions) {
    if (/^(Operation|Fragment)Definition$/.test(definition.kind)) visit(definition, visitor)
  }
  return undefined
}

const at = ({text}: DocumentContext, node: {readonly loc?: {readonly start: number}}): number =>
  offsetAt(text, node.loc?.start ?? 0)

/** Visits what may be a use, each field with the type that it stands on. */
const visitorFor = (context: DocumentContext): ASTVisitor => {
  const parents: (ParentType | undefined)[] = []
  const leadingTo = <N>(typeOf: (node: N) => ParentType | undefined) => ({
    enter: (node: N) => {
      parents.push(typeOf(node))
    },
    leave: () => {
      parents.pop()
    },
  })
  return {
    NamedType: (type) => checkName('type', type.name.value, at(context, type), `type ${type.name.value}`, context.emit),
    OperationDefinition: leadingTo(({operation}) => ({type: operation === 'mutation' ? 'Mutation' : 'Query'})),
    FragmentDefinition: leadingTo(({typeCondition}) => parentTypeOf(typeCondition.name.value)),
    InlineFragment: leadingTo(({typeCondition}) =>
      typeCondition ? parentTypeOf(typeCondition.name.value) : parents.at(-1),
    ),
    Field: leadingTo((field) => checkField(field, parents.at(-1), context)),
  }
}

/** Finds uses in a field, and returns the type that it leads to. */
const checkField = (
  field: FieldNode,
  parent: ParentType | undefined,
  context: DocumentContext,
): ParentType | undefined => {
  const name = field.name.value
  if (parent && !parent.isPage) {
    const full = `${parent.type}.${name}`
    checkName('field', full, at(context, field.name), full, context.emit)
  }
  for (const argument of field.arguments ?? []) {
    const own = argument.name.value
    checkName('argument', `${name}.${own}`, at(context, argument), `${name}(${own}:)`, context.emit)
  }
  const next = typeOfField(parent, name)
  if (parent?.type === 'Mutation') visitArguments(field, context)
  const operation = parent?.type === 'Query' ? 'query' : parent?.type === 'Mutation' ? 'mutation' : undefined
  if (next && operation && next.type !== parent?.type) {
    context.operations.push({type: next.type, operation, field: name, offset: at(context, field.name)})
  }
  return next
}

/** The arguments of a mutation are the body of a place that is named after it. */
const visitArguments = (field: FieldNode, context: DocumentContext): void => {
  const root: ObjectNode = {
    kind: 'object',
    start: at(context, field),
    members: (field.arguments ?? []).map((argument) => ({
      name: argument.name.value,
      start: at(context, argument),
      value: nodeOf(argument.value, context),
    })),
  }
  const places = [{method: 'MUTATION', segments: [field.name.value]}]
  checkBody(root, {places, emit: context.emit})
}

const nodeOf = (value: ValueNode, context: DocumentContext): Node => {
  const start = at(context, value)
  if (value.kind === 'ObjectValue') {
    const members = value.fields.map((field) => ({
      name: field.name.value,
      start: at(context, field),
      value: nodeOf(field.value, context),
    }))
    return {kind: 'object', start, members}
  }
  if (value.kind === 'ListValue') {
    return {kind: 'array', start, items: value.values.map((item) => nodeOf(item, context))}
  }
  if (value.kind === 'Variable') {
    const given = memberOf(context.variables, value.name.value)
    return given ?? {kind: 'other', start, is: 'unknown'}
  }
  if (value.kind === 'StringValue' || value.kind === 'EnumValue') {
    return {kind: 'text', start, value: value.value, spans: [[0, start]]}
  }
  return {kind: 'other', start, is: value.kind === 'NullValue' ? 'null' : 'plain'}
}

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
