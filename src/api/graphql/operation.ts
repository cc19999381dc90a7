import type {
  DocumentNode,
  ExecutionResult,
  GraphQLError,
  GraphQLFieldResolver,
  GraphQLResolveInfo,
  GraphQLSchema,
} from 'graphql'
import * as v from 'valibot'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {optional} from '../../domain/rules.js'
import {limits} from '../../work/limits.js'
import {nextTurn, type Yield} from '../../work/time-slices.js'
import type {Context} from '../operation/context.js'
import {operation} from '../operation/operation.js'
import {isFault, shownError} from '../pipeline/pipeline.js'
import {checkSelections, costOf, tooManyValues} from './bounds.js'
import {derived, memberOf} from './derived.js'
import {mutated, mutationScopes} from './mutations.js'
import {type Args, followedBy, queryScopes, root} from './resolvers.js'
import {checkScalars, schemaText} from './schema.js'

const Body = v.object({
  query: v.string(),
  variables: optional(v.record(v.string(), v.unknown())),
  operationName: optional(v.string()),
})

const Reply = v.looseObject({}) as unknown as v.GenericSchema<object>

/** Tokens that a document is read up to; a text of a body could hold more. */
const maxTokens = 5_000

type GraphQL = typeof import('graphql')

let loaded: ReturnType<typeof load> | undefined

/** Loads the library and makes the schema, each step in a turn of its own. A test checks the text, so that this need not. */
async function load() {
  const graphql = await import('graphql')
  await nextTurn()
  const document = graphql.parse(schemaText, {noLocation: true})
  await nextTurn()
  const schema = graphql.buildASTSchema(document, {assumeValid: true, assumeValidSDL: true})
  await nextTurn()
  checkScalars(schema, graphql)
  return {graphql, schema, executed: withNullableMutations(graphql, schema)}
}

/**
 * The schema whose mutations may be null where they fail: a document then still answers what its other mutations did.
 * What is validated and shown is the vendor's form, in which some may not.
 */
function withNullableMutations({GraphQLObjectType, GraphQLSchema, getNullableType}: GraphQL, schema: GraphQLSchema) {
  const config = schema.toConfig()
  const mutation = config.mutation?.toConfig()
  if (!mutation) return schema
  const fields = Object.entries(mutation.fields).map(([name, field]) => [
    name,
    {...field, type: getNullableType(field.type)},
  ])
  return new GraphQLSchema({
    ...config,
    types: config.types.filter((type) => type !== config.mutation),
    mutation: new GraphQLObjectType({...mutation, fields: Object.fromEntries(fields)}),
  })
}

/** The refusal of a request that is not executed: in GraphQL's form, with the members of REST beside it (decision 66). */
function refused(error: {readonly message: string; readonly locations?: GraphQLError['locations']}): ApiError {
  const known = error instanceof ApiError ? error : ApiError.of('InvalidInput', {message: error.message})
  return known.with(defined({locations: error.locations, extensions: {code: known.code}}))
}

/** The document, once it is sure to be answerable within bounds (decision 44). Throws InvalidInput. */
function checkedDocument(graphql: GraphQL, schema: GraphQLSchema, query: string): DocumentNode {
  try {
    const document = graphql.parse(query, {maxTokens})
    const subscription = document.definitions.find(
      (one) => one.kind === 'OperationDefinition' && one.operation === 'subscription',
    )
    const message = 'There are queries and mutations, and no subscriptions.'
    if (subscription) throw new graphql.GraphQLError(message, {nodes: subscription})
    checkSelections(document)
    const [problem] = graphql.validate(schema, document, graphql.specifiedRules, {maxErrors: 1})
    if (problem) throw problem
    return document
  } catch (error) {
    throw error instanceof ApiError || error instanceof graphql.GraphQLError ? refused(error) : error
  }
}

/** An error of a field in the words of the API; of an internal one the log has the cause. */
function fieldError(
  {message, locations, path, originalError}: GraphQLError,
  {correlationId, onFault}: Context,
): object {
  if (originalError && isFault(originalError)) onFault?.(originalError, correlationId)
  const shown = originalError && shownError(originalError, correlationId).errors[0]
  const {code, ...members} = shown ?? {code: 'InvalidInput', message}
  return defined({message: members.message, locations, path, extensions: {...members, code}})
}

const listedIn = (args: Args): number =>
  Object.values(args).reduce<number>((sum, given) => sum + (Array.isArray(given) ? given.length : 0), 0)

/** Lists from this length on yield to the event loop between their elements. */
const longList = 20

/** The elements one after the other, with the pauses of the request between them. */
function inTurn<T>(list: readonly T[], pause: Yield): readonly (T | Promise<T>)[] {
  let last = Promise.resolve()
  return list.map((element) => {
    last = last.then(pause)
    return last.then(() => element)
  })
}

/**
 * Derived fields, members of the root, and otherwise the member of the document or what it refers to. What a field brings
 * is counted before any of it is resolved; once it does not fit, one error says so and nothing else is resolved.
 */
function fieldResolver(request: Context): GraphQLFieldResolver<unknown, Context, Args> {
  const {budget} = request
  const followed = followedBy(request)
  let spent: ApiError | undefined
  const paced = (value: unknown): unknown => {
    if (!Array.isArray(value) || value.length < longList) return value
    const place = budget.enlarge()
    return place ? place.then(() => inTurn(value, budget.pause)) : inTurn(value, budget.pause)
  }
  /** Whether so many values fit; once they do not, a field that may be null is. */
  const fits = (cost: number, {returnType}: GraphQLResolveInfo): boolean => {
    if (cost === 0 || (!spent && budget.fitsValues(cost))) return true
    if (spent && !String(returnType).endsWith('!')) return false
    spent ??= tooManyValues()
    throw spent
  }
  const counted = (value: unknown, info: GraphQLResolveInfo): unknown => {
    const cost = costOf(value, info)
    if (cost === 0) return value
    if (!fits(cost, info)) return null
    const shown = followed(`${info.parentType.name}.${info.fieldName}`, value)
    return shown instanceof Promise ? shown.then(paced) : paced(shown)
  }
  return (source, args, context, info) => {
    const members = source as Readonly<Record<string, unknown>>
    const {parentType, fieldName} = info
    const make = derived[`${parentType.name}.${fieldName}`]
    // A list that was given is looked through.
    if (make) return fits(listedIn(args), info) ? counted(make(members, args), info) : null
    // A list that is always there has nothing in it where a seeded document lacks it.
    const member = memberOf(members, fieldName) ?? (/^\[.*!$/.test(String(info.returnType)) ? [] : undefined)
    const value = typeof member === 'function' ? (member as (...given: unknown[]) => unknown)(args, context) : member
    return value instanceof Promise ? value.then((found: unknown) => counted(found, info)) : counted(value, info)
  }
}

/** One error stands for all that came of the same cause. */
const distinct = (errors: readonly GraphQLError[]): readonly GraphQLError[] => [
  ...new Map(errors.map((error) => [error.originalError ?? error, error])).values(),
]

export const queryGraphql = operation({
  id: 'queryGraphql',
  method: 'POST',
  path: '/{projectKey}/graphql',
  summary: 'read customers, customer groups, stores, types and own quotes and carts, and change accounts, by GraphQL',
  area: 'GraphQL',
  permission: {kind: 'bearer', anyOf: [...new Set([...queryScopes, ...mutationScopes])], byTouch: true},
  body: Body,
  ...mutated,
  reply: Reply,
  handle: async (context, {body}) => {
    loaded ??= load()
    const {graphql, schema, executed} = await loaded
    await context.budget.pause()
    const document = checkedDocument(graphql, schema, body.query)
    const result: ExecutionResult = await graphql.execute({
      schema: executed,
      document,
      rootValue: root,
      contextValue: context,
      fieldResolver: fieldResolver(context),
      typeResolver: (money) => (Object(money).type === 'highPrecision' ? 'HighPrecisionMoney' : 'Money'),
      ...defined({variableValues: body.variables, operationName: body.operationName}),
    })
    // Without data nothing was executed: the operation or its variables are not the document's.
    if (result.data === undefined) throw refused(result.errors?.[0] ?? {message: 'The query has no answer.'})
    const errors =
      result.errors &&
      distinct(result.errors)
        .slice(0, limits.listedIssues)
        .map((error) => fieldError(error, context))
    return {data: result.data, ...defined({errors})}
  },
})
