import type {toJsonSchema} from '@valibot/to-json-schema'
import {Address, Customer} from '../domain/customers/customer.js'
import {defined} from '../domain/equal.js'
import {catalogue} from '../domain/errors.js'
import {Quote} from '../domain/quotes/quote.js'
import {Money} from '../domain/resource-fields.js'
import {limits} from '../work/limits.js'
import {nextTurn, timeSlices, type Yield} from '../work/time-slices.js'
import {CustomerToken} from './accounts/one-time-tokens.js'
import {type AnyOperation, type Permission, type Schema, successOf} from './operation/operation.js'
import {parameters} from './operation/parameters.js'

/** Generates an OpenAPI 3.1 document from the declarations of operations. */

/** How long the making of the document keeps the event loop at a time, and then to the end of one schema. */
const sliceMs = 1

type Json = Record<string, unknown>
type Convert = typeof toJsonSchema

const shared = {Customer, Address, CustomerToken, Quote, Money}

const refOf = (name: string): string => `#/components/schemas/${name}`

/** Converts schemas, each once. Those of replies are closed; those of bodies are open, since unknown members are ignored. */
function converterOf(convert: Convert, closed: boolean) {
  const made = new Map<Schema, Json>()
  const convertAnew = (schema: Schema): Json => {
    const {
      $schema: _,
      $defs: __,
      ...json
    } = convert(schema as never, {
      target: 'draft-2020-12',
      typeMode: closed ? 'output' : 'input',
      errorMode: 'ignore',
      definitions: closed ? (shared as never) : {},
      overrideRef: ({referenceId}) => refOf(referenceId),
      overrideSchema: ({valibotSchema, jsonSchema}) =>
        closed && valibotSchema.type === 'object' && jsonSchema.type === 'object'
          ? {...jsonSchema, additionalProperties: false}
          : undefined,
    }) as Json
    return json
  }
  return (schema: Schema): Json => {
    const json = made.get(schema) ?? convertAnew(schema)
    made.set(schema, json)
    return json
  }
}

const errorSchema: Json = {
  type: 'object',
  required: ['statusCode', 'message', 'errors'],
  properties: {
    statusCode: {type: 'integer'},
    message: {type: 'string'},
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['code', 'message'],
        properties: {code: {enum: Object.keys(catalogue)}, message: {type: 'string'}},
      },
    },
    error: {type: 'string'},
    error_description: {type: 'string'},
  },
  additionalProperties: false,
}

const securityOf = (permission: Permission): Json[] =>
  permission.kind === 'bearer'
    ? permission.anyOf.map((scope) => ({token: [scope]}))
    : {open: [], basic: [{client: []}], admin: [{admin: []}]}[permission.kind]

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({name, in: 'path', required: true, schema: {type: 'string'}}))

const queryParameters = (names: readonly string[]): Json[] =>
  names.map((name) => {
    const {description, schema, required = false} = parameters.get(name) ?? {description: '', schema: {type: 'string'}}
    const described = {in: 'query', description, required, schema}
    return name === 'var.*' ? {name: 'var', ...described, style: 'form', explode: true} : {name, ...described}
  })

async function bodyOf(
  {body, bodyKind, formParameters, actions}: AnyOperation,
  convert: (schema: Schema) => Json,
  yields: Yield,
): Promise<Json | undefined> {
  if (!body) return undefined
  if (bodyKind === 'form') {
    const properties = Object.fromEntries((formParameters ?? []).map((name) => [name, {type: 'string'}]))
    return {content: {'application/x-www-form-urlencoded': {schema: {type: 'object', properties}}}}
  }
  const schema = actions ? await updateSchema(actions, convert, yields) : convert(body as Schema)
  return {required: true, content: {'application/json': {schema}}}
}

async function updateSchema(
  actions: NonNullable<AnyOperation['actions']>,
  convert: (schema: Schema) => Json,
  yields: Yield,
): Promise<Json> {
  const oneOf: Json[] = []
  for (const {name, summary, schema, deprecated} of actions.values()) {
    await yields()
    const {properties = {}, required = []} = convert(schema) as {properties?: Json; required?: string[]}
    oneOf.push({
      type: 'object',
      title: name,
      description: summary,
      properties: {action: {const: name}, ...properties},
      required: ['action', ...required],
      ...(deprecated ? {deprecated: true} : {}),
    })
  }
  return {
    type: 'object',
    required: ['version', 'actions'],
    properties: {
      version: {type: 'integer', minimum: 0},
      actions: {type: 'array', maxItems: limits.actions, items: {oneOf}},
    },
  }
}

/** The document for some operations, made while others are served. The converter is loaded here, since only this needs it. */
export async function openApi(operations: readonly AnyOperation[]): Promise<Json> {
  const {toJsonSchema} = await import('@valibot/to-json-schema')
  const [reply, body] = [converterOf(toJsonSchema, true), converterOf(toJsonSchema, false)]
  const paths: Record<string, Json> = {}
  const yields = timeSlices(sliceMs)
  // Each of the shared schemas at a time of its own: copies, since a shared one itself would become a reference.
  const schemas: Record<string, Json> = {}
  for (const [name, schema] of Object.entries(shared)) {
    await yields()
    schemas[name] = reply({...schema} as Schema)
  }
  for (const operation of operations) {
    await yields()
    const requestBody = await bodyOf(operation, body, yields)
    await yields()
    const content = operation.reply ? {content: {'application/json': {schema: reply(operation.reply as Schema)}}} : {}
    const path: string = operation.path
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: {
        operationId: operation.id,
        summary: operation.summary,
        tags: [operation.area],
        parameters: [...pathParameters(path), ...queryParameters(operation.query ?? [])],
        security: securityOf(operation.permission),
        ...defined({requestBody}),
        responses: {
          [successOf(operation)]: {description: 'Done.', ...(operation.method === 'HEAD' ? {} : content)},
          default: {description: 'Refused.', content: {'application/json': {schema: {$ref: refOf('Error')}}}},
        },
      },
    }
  }
  await nextTurn()
  return {
    openapi: '3.1.0',
    info: {
      title: 'frontdesk local server',
      version: '1',
      description: 'Customer accounts, my quotes and authorization.',
    },
    paths,
    components: {
      schemas: {...schemas, Error: errorSchema},
      securitySchemes: {
        token: {type: 'http', scheme: 'bearer', description: 'An access token of the authorization service.'},
        client: {type: 'http', scheme: 'basic', description: 'Id and secret of an API client.'},
        admin: {type: 'http', scheme: 'bearer', description: 'The token beside the state of a local server.'},
      },
    },
  }
}
