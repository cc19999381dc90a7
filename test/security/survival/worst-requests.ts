import {randomUUID} from 'node:crypto'
import {toJsonSchema} from '@valibot/to-json-schema'
import {operations} from '../../../src/api/index.js'
import type {AnyOperation} from '../../../src/api/operation/operation.js'
import {limits} from '../../../src/work/limits.js'

/** The heaviest request that the limits let in, for each operation and each of its actions, made from the declarations. */
export interface WorstRequest {
  readonly name: string
  readonly operation: AnyOperation
  readonly body?: object
  readonly form?: string
  readonly query?: string
}

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema, read loosely
type Json = any

const json = (schema: unknown): Json =>
  toJsonSchema(schema as never, {target: 'draft-2020-12', typeMode: 'input', errorMode: 'ignore'})

/** What is left of the limits on a body while one is made. */
interface Left {
  values: number
  /** Characters of each text. */
  text: number
}

const reserve = 40

/** The largest value of a schema that what is left allows. Members that are not needed come too while there is room. */
function largest(schema: Json, left: Left, name = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.at(-1)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return largest(options.find((option: Json) => option.type !== 'null') ?? options[0], left, name)
  if (schema.type === 'array') {
    const most = Math.min(schema.maxItems ?? limits.jsonValues, limits.jsonValues)
    const elements: unknown[] = []
    while (elements.length < most && left.values > reserve) {
      left.values -= 1
      elements.push(largest(schema.items ?? {}, left, name))
    }
    return elements
  }
  if (schema.type === 'object' || schema.properties) return largestObject(schema, left)
  if (schema.type === 'integer' || schema.type === 'number') return /ttl/i.test(name) ? 5 : 0
  if (schema.type === 'boolean') return true
  if (name === 'value') return 'x'.repeat(left.text)
  return textFor(name, left.text)
}

/** Members that refuse the others, or need something of just the right kind. */
const unwanted: ReadonlySet<string> = new Set([
  'addressKey',
  'anonymousCart',
  'anonymousCartId',
  'passwordHash',
  'custom',
  'fields',
])

/** Stands for the id of something that exists, which the sender puts in its place. */
export const placeOf = (what: string): string => `@${what}@`

function textFor(name: string, characters: number): string {
  if (name === 'addressId') return placeOf('address')
  if (/password/i.test(name)) return 'x'.repeat(1_000)
  if (name === 'scope') return Array.from({length: limits.scopes}, (_, at) => `view_orders:demo:s${at}`).join(' ')
  if (name === 'name') return 'x'.repeat(200)
  if (/customerNumber/.test(name)) return randomUUID()
  if (name === 'country') return 'DE'
  if (name === 'key') return `key-${randomUUID()}`
  if (/email/i.test(name)) return `${randomUUID()}@example.com`
  if (/date/i.test(name)) return '1985-05-07'
  if (/locale/i.test(name)) return 'de'
  return 'ä'.repeat(characters)
}

function largestObject(schema: Json, left: Left): object {
  const made: Record<string, unknown> = {}
  for (const [member, inner] of Object.entries(schema.properties ?? {})) {
    const isNeeded = schema.required?.includes(member) === true
    // A reference is by id or by key, and an address is named in one way.
    if (member === 'key' && 'id' in schema.properties) continue
    if (unwanted.has(member)) continue
    if (!isNeeded && left.values <= 4) continue
    left.values -= 1
    const typeIds: Json = schema.properties.typeId ?? {}
    const typeId = typeIds.const ?? typeIds.enum?.[0] ?? typeIds.anyOf?.[0]?.const
    if (member === 'id' && typeId !== undefined) {
      made[member] = placeOf(typeId)
      continue
    }
    made[member] = largest(inner, left, member)
  }
  return made
}

/** As long texts as fit. A body grows evenly with its texts, so two short ones tell the size of every other. */
function fitted(make: (left: Left) => object): object {
  const made = (text: number) => make({values: limits.jsonValues - reserve, text})
  const bytes = (text: number) => Buffer.byteLength(JSON.stringify(made(text)))
  const [least, more] = [bytes(2), bytes(3)]
  const fits = (text: number) => least + (text - 2) * (more - least) < limits.bodyBytes - 100
  const text = [1_500, 700, 300, 150, 80, 40, 20, 8, 2].find(fits)
  return text === undefined ? make({values: 1_000, text: 2}) : made(text)
}

function bodiesOf(operation: AnyOperation): WorstRequest[] {
  const {id, body, actions} = operation
  if (!body) return []
  if (!actions) return [{name: id, operation, body: fitted((left) => largestObject(json(body), left))}]
  return [...actions.values()].map(({name, schema}) => {
    const shape = json(schema)
    const one = (left: Left) => ({action: name, ...largestObject(shape, left)})
    const many = fitted((left) => {
      const list: object[] = []
      while (list.length < limits.actions && left.values > reserve) {
        left.values -= 2
        list.push(one(left))
      }
      return {version: 1, actions: list}
    })
    return {name: `${id} · ${name}`, operation, body: many}
  })
}

/** The largest cart of the demo shop's catalogue: lines that are found, priced and taxed. */
function largestCart(operation: AnyOperation): WorstRequest[] {
  if (!/^create(My)?Cart$/.test(operation.id)) return []
  const lineItems = times(limits.lineItems, (at) => ({sku: at % 2 ? 'MUG-BLUE' : 'MUG-MOSS', quantity: at + 1}))
  const money = {currencyCode: 'EUR', centAmount: 1}
  const customLineItems = times(limits.lineItems, (at) => ({slug: `slug-${at}`, name: {en: 'x'}, money}))
  const body = {currency: 'EUR', shippingAddress: {country: 'DE'}, lineItems, customLineItems}
  return [{name: `${operation.id} · of the catalogue`, operation, body}]
}

/** As much as a GraphQL query may ask for, and one that takes long to be refused. */
function largestQueries(operation: AnyOperation): WorstRequest[] {
  if (operation.id !== 'queryGraphql') return []
  const wide = times(80, (at) => `a${at}: addresses { id }`).join(' ')
  const flat = times(limits.graphqlFields - 10, (at) => `a${at}: id`).join(' ')
  const bodies = {
    wide: `{ customers(limit: 500) { results { ${wide} } } }`,
    flat: `{ customers(limit: 500) { results { ${flat} } } }`,
    long: `{ ${'customers { total } '.repeat(1_500)} }`,
  }
  return Object.entries(bodies).map(([what, query]) => ({
    name: `${operation.id} · ${what}`,
    operation,
    body: {query},
  }))
}

function formOf(operation: AnyOperation): WorstRequest {
  const names = operation.formParameters ?? []
  const share = Math.floor((limits.formBytes - 200) / Math.max(1, names.length))
  const scope = Array.from({length: limits.scopes}, (_, at) => `view_orders:demo:s${at}`).join(' ')
  const texts = names.map((name) => {
    const value = name === 'scope' ? scope : name === 'grant_type' ? 'client_credentials' : 'x'.repeat(share - 20)
    return `${name}=${value}`
  })
  return {name: `${operation.id} · form`, operation, form: texts.join('&').slice(0, limits.formBytes)}
}

const parameters = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%20', '+')}`).join('&')

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({length: count}, (_, at) => make(at))

/** Queries at their limits: many conditions, many values, the deepest sorted page, every path of expand. */
function queriesOf(operation: AnyOperation): WorstRequest[] {
  const names = operation.query ?? []
  const queries: Record<string, string> = {}
  const open = 'id is defined'
  if (names.includes('where')) {
    const values = times(limits.listValues, (at) => ['var.v', `v${at}`] as const)
    queries['values of an index'] = parameters([['where', times(5, () => 'id in :v').join(' or ')], ...values])
    queries['values'] = parameters([['where', times(5, () => 'key in :v').join(' or ')], ...values])
    const half = times(limits.conditions / 2 - 1, (at) => `key != "${at}"`).join(' and ')
    queries['conditions'] = parameters([
      ['where', half],
      ['where', half],
    ])
    const deep = limits.predicateDepth
    queries['nesting'] = parameters(
      times(limits.where, () => ['where', `${'('.repeat(deep)}${open}${')'.repeat(deep)}`]),
    )
    // As many as the bytes of a request line hold.
    queries['blanks'] = parameters(times(4, () => ['where', open.padEnd(limits.predicateCharacters)]))
  }
  if (names.includes('sort')) {
    queries['sort'] = parameters([
      ...times(5, (at) => ['sort', `${['createdAt', 'lastModifiedAt', 'version', 'key', 'id'][at]} desc`] as const),
      ['offset', String(limits.pageOffset)],
      ['limit', String(limits.pageSize)],
    ])
    queries['page'] = parameters([['limit', String(limits.pageSize)]])
  }
  if (names.includes('expand')) {
    const paths = ['customerGroupAssignments[*].customerGroup', 'stores[*]', 'addresses[*].custom.type', 'custom.type']
    queries['expand'] = parameters([
      ...times(limits.expandPaths, (at) => ['expand', paths[at] ?? `addresses[${at}].custom.type`] as const),
      ['limit', String(limits.pageSize)],
    ])
  }
  return Object.entries(queries).map(([what, query]) => ({name: `${operation.id} · ${what}`, operation, query}))
}

export const worstRequestsOf = (isWanted: (operation: AnyOperation) => boolean): readonly WorstRequest[] =>
  operations
    .filter(isWanted)
    .flatMap((operation) => [
      ...(operation.bodyKind === 'form' ? [formOf(operation)] : bodiesOf(operation)),
      ...queriesOf(operation),
      ...largestCart(operation),
      ...largestQueries(operation),
      ...(operation.query || operation.body ? [] : [{name: operation.id, operation}]),
    ])
