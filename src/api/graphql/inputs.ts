import type * as v from 'valibot'
import type {Registry} from '../../domain/action.js'
import {AddressDraft} from '../../domain/address.js'
import {mergeModes} from '../../domain/carts/take-over.js'
import {CustomFieldsDraft, FieldValues} from '../../domain/custom-fields.js'
import {authenticationModes} from '../../domain/customers/customer.js'
import {capital, isObject} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {myQuoteStates} from '../../domain/quotes/actions.js'
import {Country, LenientDate, Version} from '../../domain/rules.js'
import type {SchemaParts} from '../../domain/shape-of.js'
import type {Name} from '../operation/by-id-and-key.js'
import {isPoisoned, parseJsonText} from '../pipeline/json-body.js'

/** The input types of GraphQL, derived from the schemas of bodies and actions, and arguments as bodies. */

/** Schemas with a type of the vendor's, by identity. */
const named = new Map<unknown, string>([
  [Country, 'Country'],
  [LenientDate, 'Date'],
  [Version, 'Long'],
  [FieldValues, '[CustomFieldInput!]'],
  [CustomFieldsDraft, 'CustomFieldsDraft'],
])
const enums = new Map<unknown, string>([
  [authenticationModes, 'AuthenticationMode'],
  [mergeModes, 'AnonymousCartSignInMode'],
  [myQuoteStates, 'MyQuoteState'],
])
const scalars: Readonly<Record<string, string>> = {
  string: 'String',
  number: 'Int',
  boolean: 'Boolean',
  unknown: 'String',
}

/** `setFirstName` of a customer is `SetCustomerFirstName`; one name follows no rule. */
function actionInput(name: string, resource: string): string {
  if (name === 'changeMyQuoteState') return 'ChangeMyQuoteMyQuoteState'
  const [, verb = '', rest = ''] = /^([a-z]+)(.*)$/.exec(name) ?? []
  return `${capital(verb)}${rest.startsWith(resource) ? '' : resource}${rest}`
}

export class InputTypes {
  readonly #types = new Map<string, string>()

  /** Declares a type of the members of a body, and returns its name. */
  body(name: string, schema: v.GenericSchema | undefined): string {
    return this.#object(name, schema as unknown as SchemaParts)
  }

  /** Declares a type with a member for each action, of which a request gives one. */
  actions<R>(name: string, registry: Registry<R>, resource = 'Customer'): string {
    const members = [...registry.values()].map(
      (action) =>
        `${action.name}: ${this.#object(actionInput(action.name, resource), action.schema as unknown as SchemaParts)}`,
    )
    this.#types.set(name, `input ${name} { ${members.join(' ')} }`)
    return name
  }

  get text(): string {
    return [...this.#types.values()].join('\n')
  }

  /** `more`: members that are accepted and not read. */
  #object(name: string, schema: SchemaParts, more: readonly string[] = []): string {
    if (!this.#types.has(name)) {
      // Declared before its members are, so that each type is made once.
      this.#types.set(name, '')
      const {entries = {}} = schema.pipe?.[0] ?? schema
      // The old names of a type, which REST takes too (decision 36).
      const old = 'type' in entries && 'fields' in entries ? ['typeId: String', 'typeKey: String'] : []
      const own = Object.entries(entries).map(([member, one]) => `${member}: ${this.#member(member, one)}`)
      const members = [...own, ...old, ...more]
      this.#types.set(name, members.length === 0 ? `scalar ${name}` : `input ${name} { ${members.join(' ')} }`)
    }
    return name
  }

  #member(member: string, given: SchemaParts): string {
    let schema = given
    let mark = '!'
    for (;;) {
      const known = named.get(schema)
      if (known !== undefined) return known + mark
      if (schema === (AddressDraft as unknown)) return this.#object('AddressInput', schema, ['id: String']) + mark
      const inner = schema.wrapped ?? (schema.pipe?.[0] === schema ? undefined : schema.pipe?.[0])
      if (schema.wrapped || schema.type === 'unknown') mark = ''
      if (!inner || (!schema.wrapped && !inner.wrapped && !named.has(inner))) break
      schema = inner
    }
    return this.#typeOf(member, schema) + mark
  }

  #typeOf(member: string, schema: SchemaParts): string {
    if (member === 'locale') return 'Locale'
    const {item, entries, options} = schema.pipe?.[0] ?? schema
    if (item) return `[${this.#member(member.replace(/s$/, ''), item)}]`
    if (options) return enums.get(options) ?? 'String'
    if (!entries) return scalars[schema.type] ?? 'Json'
    const isIdentifier = 'typeId' in entries && 'key' in entries && Object.keys(entries).length === 3
    return isIdentifier ? 'ResourceIdentifierInput' : this.#object(`${capital(member)}Draft`, schema)
  }
}

/** The value of a custom field, which GraphQL takes as the text of its JSON. Throws InvalidInput. */
function jsonIn(name: string, text: unknown): unknown {
  if (typeof text !== 'string') return text
  const refused = (rule: string) =>
    ApiError.of('InvalidInput', {message: `The value of the custom field '${name}' is the text of its JSON: ${rule}`})
  let value: unknown
  try {
    value = parseJsonText(text)
  } catch (error) {
    if (error instanceof ApiError) throw refused(String(error.errors[0]['detailedErrorMessage']))
    throw error
  }
  if (isPoisoned(name, value)) throw refused('no field has this name.')
  return value
}

/** An argument as the member of a body: custom fields as an object. */
export function bodyOf(argument: unknown): unknown {
  if (Array.isArray(argument)) return argument.map(bodyOf)
  if (!isObject(argument)) return argument
  const entries = Object.entries(argument).map(([name, value]): [string, unknown] => {
    if (name === 'value' && 'name' in argument) return [name, jsonIn(String(argument['name']), value)]
    if (name !== 'fields' || !Array.isArray(value)) return [name, bodyOf(value)]
    const fields = value as readonly {name: string; value: unknown}[]
    return [name, Object.fromEntries(fields.map((field) => [field.name, jsonIn(field.name, field.value)]))]
  })
  return Object.fromEntries(entries)
}

export const actionsOf = (given: unknown): readonly unknown[] =>
  (given as readonly object[]).map((one) => {
    const [action, ...others] = Object.entries(one)
    if (!action || others.length > 0) {
      throw ApiError.of('InvalidInput', {message: 'Each of the actions names exactly one update action.'})
    }
    return {action: action[0], ...(bodyOf(action[1] ?? {}) as object)}
  })

/** How arguments name a resource. Throws InvalidInput unless exactly one of id and key does. */
export function nameIn({id, key}: Readonly<Record<string, unknown>>, what: string): Name {
  if (typeof id === 'string' && typeof key !== 'string') return {id}
  if (typeof key === 'string' && typeof id !== 'string') return {key}
  throw ApiError.of('InvalidInput', {message: `Exactly one of 'id' and 'key' names ${what}.`})
}
