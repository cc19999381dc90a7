import type {DocumentNode, ExecutionResult, GraphQLError, GraphQLFieldResolver, GraphQLSchema} from 'graphql'
import * as v from 'valibot'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {optional} from '../../domain/rules.js'
import {QueryError} from '../../query/query-error.js'
import type {Context} from '../operation/context.js'
import {operation} from '../operation/operation.js'
import {checkSelections, valueCounter} from './bounds.js'
import {derived, root} from './resolvers.js'
import {schemaText} from './schema.js'

const Body = v.object({
  query: v.string(),
  variables: optional(v.record(v.string(), v.unknown())),
  operationName: optional(v.string()),
})

const Reply = v.looseObject({}) as unknown as v.GenericSchema<object>

/** Tokens that a document is read up to; a text of a body could hold more. */
const maxTokens = 5_000

type GraphQL = typeof import('graphql')

let loaded: Promise<{readonly graphql: GraphQL; readonly schema: GraphQLSchema}> | undefined

async function load() {
  const graphql = await import('graphql')
  return {graphql, schema: graphql.buildSchema(schemaText)}
}

const refused = (message: string): ApiError => ApiError.of('InvalidInput', {message})

/** The document, once it is sure to be answerable within bounds (decision 44). Throws InvalidInput. */
function checkedDocument(graphql: GraphQL, schema: GraphQLSchema, query: string): DocumentNode {
  let document: DocumentNode
  try {
    document = graphql.parse(query, {maxTokens})
  } catch (error) {
    throw refused(error instanceof Error ? error.message : 'The query cannot be read.')
  }
  const writes = document.definitions.some((one) => one.kind === 'OperationDefinition' && one.operation !== 'query')
  if (writes) throw refused('Queries are answered alone: there are no mutations and subscriptions.')
  checkSelections(document)
  const rules = [...graphql.specifiedRules, graphql.NoSchemaIntrospectionCustomRule]
  const [problem] = graphql.validate(schema, document, rules, {maxErrors: 1})
  if (problem) throw refused(problem.message)
  return document
}

/** An error of a resolver in the words of the API; nothing of an internal one is shown. */
function shownError({message, path, originalError}: GraphQLError): object {
  const cause = originalError instanceof QueryError ? refused(originalError.message) : originalError
  if (cause && !(cause instanceof ApiError)) throw cause
  const {code, ...members} = cause?.errors[0] ?? {code: 'InvalidInput', message}
  return defined({message: members.message, path, extensions: {...members, code}})
}

/** Derived fields, members of the root, and otherwise the member of the document. Each value counts. */
function fieldResolver(): GraphQLFieldResolver<unknown, Context> {
  const counted = valueCounter()
  return (source, args, context, {parentType, fieldName}) => {
    counted()
    const members = source as Readonly<Record<string, unknown>>
    const make = derived[`${parentType.name}.${fieldName}`]
    if (make) return make(members)
    const member = Object.hasOwn(members, fieldName) ? members[fieldName] : undefined
    return typeof member === 'function' ? (member as (...given: unknown[]) => unknown)(args, context) : member
  }
}

export const queryGraphql = operation({
  id: 'queryGraphql',
  method: 'POST',
  path: '/{projectKey}/graphql',
  summary: 'read customers, customer groups, stores and types by a GraphQL query',
  area: 'GraphQL',
  permission: {
    kind: 'bearer',
    anyOf: ['view_customers', 'manage_my_profile', 'view_customer_groups', 'view_stores', 'view_types'],
  },
  body: Body,
  success: 200,
  reply: Reply,
  handle: async (context, {body}) => {
    loaded ??= load()
    const {graphql, schema} = await loaded
    const document = checkedDocument(graphql, schema, body.query)
    const result: ExecutionResult = await graphql.execute({
      schema,
      document,
      rootValue: root,
      contextValue: context,
      fieldResolver: fieldResolver(),
      ...defined({variableValues: body.variables, operationName: body.operationName}),
    })
    // Without data nothing was executed: the operation or its variables are not the document's.
    if (result.data === undefined) throw refused(result.errors?.[0]?.message ?? 'The query has no answer.')
    const errors = result.errors?.map(shownError)
    return {status: 200, body: {data: result.data, ...defined({errors})}}
  },
})
