import {
  buildClientSchema,
  type GraphQLOutputType,
  getNamedType,
  type IntrospectionQuery,
  isCompositeType,
  isObjectType,
} from 'graphql'
import type {AnyOperation} from '../../src/api/operation/operation.js'
import {Bodies, type Json, type Known} from './bodies.js'
import {Learned} from './learned.js'
import {hostile, type Random, randomOf} from './random.js'

/** One request as bytes of HTTP, by seed and index. */

export interface World {
  readonly introspection: IntrospectionQuery
  readonly document: Json
  readonly known: Known
  /** Values of the header `authorization`; the first has every scope. */
  readonly authorizations: readonly string[]
  readonly basic: string
  /** The token of the administration, which other operations refuse. */
  readonly admin: string
  readonly operations: readonly AnyOperation[]
}

export interface FuzzRequest {
  readonly index: number
  readonly what: string
  readonly text: string
  /** Whether it may be no HTTP, so that the connection may end without an answer. */
  readonly isBroken: boolean
}

type Schemas = Readonly<Record<string, Json>>

const predicates = [
  ...[
    'email = "a"',
    'firstName in ("a", "b")',
    'not(version > 1)',
    'addresses(city = "Berlin")',
    'custom(fields(x = 1))',
  ],
  ...[
    'createdAt > "2020-01-01T00:00:00.000Z"',
    'stores is defined',
    'id in :ids',
    '((((a = 1))))',
    'lastName contains any ("x")',
  ],
]
const fields = [
  'email',
  'firstName',
  'addresses.city',
  'all',
  'customerNumber',
  'createdAt',
  'version',
  'custom.x',
  'stores.key',
]
const kinds = 'and or not filter exact prefix wildcard fuzzy fullText fullTextPrefix range exists contains'.split(' ')
const words = ['ada', 'hazel', '*a*', '?????', 'x?x?x?', 'brand', '', '2020-01-01T00:00:00.000Z', 7, null]

export class Requests {
  readonly #world: World
  readonly #seed: number
  readonly #bodies: Bodies
  readonly #paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly #schema
  readonly #operations: readonly AnyOperation[]
  readonly learned = new Learned()

  constructor(world: World, seed: number) {
    this.#world = world
    this.#seed = seed
    const {components, paths} = world.document as unknown as {components: {schemas: Schemas}; paths: never}
    this.#bodies = new Bodies(components.schemas, {...world.known, version: []}, () => this.learned.version())
    this.#paths = paths
    this.#schema = buildClientSchema(world.introspection)
    this.#operations = world.operations
  }

  at(index: number): FuzzRequest {
    const random = randomOf(this.#seed, index)
    this.learned.asked = undefined
    const kind = random.below(10)
    if (kind === 0) return this.#post(index, random, '/demo/graphql', {query: this.#query(random)})
    if (kind === 1) return this.#post(index, random, '/demo/customers/search', this.#search(random))
    const whole = this.#operation(index, random, random.pick(this.#operations))
    return kind === 2 ? {...whole, isBroken: true, text: broken(whole.text, random)} : whole
  }

  #operation(index: number, random: Random, operation: AnyOperation): FuzzRequest {
    const path = (operation.path as string).replace(/\{(\w+)\}/g, (_, name: string, at: number) => {
      const [collection = ''] = operation.path.slice(0, at).split('/').slice(-2)
      const value = String(this.#param(name, random, collection))
      if (name === 'id' || name === 'key') this.learned.asked = value
      return encodeURIComponent(value)
    })
    const query = (operation.query ?? []).filter(() => random.chance(0.4)).map((name) => this.#parameter(name, random))
    const target = query.length === 0 ? path : `${path}?${query.join('&')}`
    const {method, permission} = operation
    const {basic, admin} = this.#world
    const own = {basic, admin}[permission.kind as string]
    const authorization = own !== undefined && random.chance(0.9) ? own : this.#authorization(random)
    const content = this.#paths[operation.path]?.[method.toLowerCase()]?.['requestBody'] as
      | {content: Readonly<Record<string, {schema: Json}>>}
      | undefined
    const [type = '', {schema} = {schema: {}}] = Object.entries(content?.content ?? {})[0] ?? []
    const value = content && this.#bodies.value(schema, random)
    const isForm = type.includes('form')
    const body = value === undefined ? '' : isForm ? formOf(value) : JSON.stringify(value)
    return request(index, operation.id, {method, target, authorization, type, body})
  }

  #post(index: number, random: Random, target: string, value: unknown): FuzzRequest {
    const body = JSON.stringify(value)
    const authorization = this.#authorization(random)
    return request(index, target, {method: 'POST', target, authorization, type: 'application/json', body})
  }

  #authorization(random: Random): string {
    const {authorizations} = this.#world
    return random.chance(0.7) ? (authorizations[0] ?? '') : random.pick(authorizations)
  }

  /** A value for a part of a path, or an argument; an id or key is likely to be one of the collection. */
  #param(name: string, random: Random, collection = ''): unknown {
    if (random.chance(0.05)) return wellFormed(random.pick(hostile))
    const {known} = this.#world
    const seen = name === 'id' && random.chance(0.6) ? this.learned.ids(collection) : undefined
    const own = seen ?? (random.chance(0.9) ? known[`${collection}/${name}`] : undefined)
    return name === 'projectKey'
      ? 'demo'
      : random.pick((own?.length ? own : undefined) ?? known[name] ?? ['main', 'nobody'])
  }

  #parameter(name: string, random: Random): string {
    const plain: Readonly<Record<string, readonly unknown[]>> = {
      where: predicates,
      sort: ['createdAt desc', 'email', 'firstName asc', 'x'],
      expand: ['customerGroup', 'stores[*]', 'custom.type', 'a.b.c'],
      limit: [0, 1, 20, 500, 501],
      offset: [0, 1, 9_999, 10_001],
      version: [this.learned.version(), this.learned.version(), 3],
    }
    const value = random.chance(0.1) ? random.pick(hostile) : random.pick(plain[name] ?? [true, false, 'x'])
    return `${name === 'var.*' ? 'var.ids' : name}=${encodeURIComponent(wellFormed(value))}`
  }

  #search(random: Random): unknown {
    const field = random.pick(fields)
    const sort = random.chance(0.3) ? {sort: [{field, order: random.pick(['asc', 'desc', 'x'])}]} : {}
    return {query: this.#expression(random, 0), limit: random.pick([1, 20, 500]), ...sort}
  }

  #expression(random: Random, depth: number): unknown {
    if (random.chance(0.03)) return random.pick(hostile)
    const field = random.pick(fields)
    const value = random.chance(0.05) ? random.pick(hostile) : random.pick(words)
    const kind = random.pick(kinds)
    if (['and', 'or', 'not', 'filter'].includes(kind) && depth < 6) {
      return {[kind]: Array.from({length: random.below(5)}, () => this.#expression(random, depth + 1))}
    }
    if (kind === 'range') return {range: {field, gte: value, ...(random.chance(0.3) ? {lt: 'zz'} : {})}}
    const more = {exact: {caseInsensitive: true}, fuzzy: {level: random.below(4)}, fullText: {mustMatch: 'any'}}[kind]
    return {[kind]: {field, value, ...(random.chance(0.5) ? more : {})}}
  }

  #query(random: Random): string {
    const isMutation = random.chance(0.3)
    const root = isMutation ? this.#schema.getMutationType() : this.#schema.getQueryType()
    const text = root ? `${isMutation ? 'mutation' : 'query'} ${this.#selection(root, random, 0)}` : ''
    return random.chance(0.1) ? broken(text, random) : text
  }

  #selection(type: GraphQLOutputType, random: Random, depth: number): string {
    const named = getNamedType(type)
    if (!isCompositeType(named)) return ''
    if (!isObjectType(named) || depth > 5) return '{ __typename }'
    const all = Object.values(named.getFields())
    const parts = Array.from({length: 1 + random.below(5)}, (_, at) => {
      const field = random.pick(all)
      const given = field.args.filter(({type: wanted}) => String(wanted).endsWith('!') || random.chance(0.3))
      const texts = given.map(({name}) => `${name}: ${literal(this.#param(name, random))}`)
      return `a${at}: ${field.name}${texts.length === 0 ? '' : `(${texts.join(', ')})`} ${this.#selection(field.type, random, depth + 1)}`
    })
    return `{ ${parts.join(' ')} }`
  }
}

const literal = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? `{${Object.entries(value)
        .map(([name, one]) => `${name}: ${literal(one)}`)
        .join(', ')}}`
    : JSON.stringify(value)

/** As a text that can stand in a URL. */
const wellFormed = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\ud800', '\ufffd').slice(0, 2_000)

const formOf = (value: unknown): string =>
  new URLSearchParams(
    Object.entries(value ?? {}).map(([name, one]): [string, string] => [name, String(one)]),
  ).toString()

interface Parts {
  readonly method: string
  readonly target: string
  readonly authorization: string
  readonly type: string
  readonly body: string
}

function request(index: number, what: string, {method, target, authorization, type, body}: Parts): FuzzRequest {
  const head = [`${method} ${target} HTTP/1.1`, 'host: 127.0.0.1', 'connection: keep-alive']
  if (authorization !== '') head.push(`authorization: ${authorization}`)
  if (body !== '') head.push(`content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`)
  return {index, what, text: `${head.join('\r\n')}\r\n\r\n${body}`, isBroken: false}
}

/** A text with a few of its characters changed, removed or repeated. */
function broken(text: string, random: Random): string {
  let made = text
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const at = random.below(Math.min(made.length, 400))
    const length = random.below(20)
    const [before, part, after] = [made.slice(0, at), made.slice(at, at + length), made.slice(at + length)]
    const other = random.pick(['', part + part, '\r\n', '\u0000', ' ', ':', '{', 'Transfer-Encoding: chunked\r\n', 'é'])
    made = `${before}${other}${after}`
  }
  return made
}
