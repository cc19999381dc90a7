import type {AnyOperation} from '../../api/operation/operation.js'
import {hidden, redactedJson, withoutTokens} from '../../domain/redact.js'
import {isSecretAnswer, isSecretMember} from '../../domain/secret-members.js'
import type {SchemaParts} from '../../domain/shape-of.js'

/**
 * The parts of a request that its operation declares, secrets masked. Everything else is masked too: a mistyped name
 * (`pwd`, `newPasword`) may stand before a password.
 */

const leaves: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'picklist', 'literal'])

/** The schema of an action is chosen by its name and does not repeat it. */
const actionName: SchemaParts = {type: 'object', entries: {action: {type: 'string'}}}

/** What a value may be: wrappers, alternatives and lazy schemas resolved. */
function alternativesOf(schema: SchemaParts, value: unknown): readonly SchemaParts[] {
  const {type, wrapped, options = [], getter} = schema
  if (getter) return [actionName, ...alternativesOf(getter(value), value)]
  if (wrapped) return alternativesOf(wrapped, value)
  if (type !== 'union' && type !== 'variant') return [schema]
  return options.flatMap((option) => alternativesOf(option as SchemaParts, value))
}

const membersCalled = (name: string, schemas: readonly SchemaParts[]): readonly SchemaParts[] =>
  schemas.flatMap(({type, entries, value}) =>
    entries && Object.hasOwn(entries, name) ? (entries[name] ?? []) : type === 'record' ? (value ?? []) : [],
  )

function masked(schemas: readonly SchemaParts[], value: unknown): unknown {
  const known = schemas.flatMap((schema) => alternativesOf(schema, value))
  if (value === null) return value
  if (Array.isArray(value)) {
    const items = known.flatMap(({item}) => item ?? [])
    return items.length === 0 ? hidden : value.map((entry) => masked(items, entry))
  }
  if (typeof value !== 'object') {
    if (!known.some(({type}) => leaves.has(type))) return hidden
    return typeof value === 'string' ? withoutTokens(value) : value
  }
  // Custom fields and texts by language: their names are the project's.
  if (known.some(({type}) => type === 'custom')) return redactedJson(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]: [string, unknown]) => [
      name,
      isSecretMember(name) ? hidden : masked(membersCalled(name, known), entry),
    ]),
  )
}

/** A JSON body as its operation declares it. */
export const declaredBody = (operation: AnyOperation | undefined, body: unknown): unknown =>
  masked(operation?.body ? [operation.body as SchemaParts] : [], body)

/** Parameters of a form or query that the operation declares, by names of which `var.*` stands for many. */
export const declaredParameters = (names: readonly string[], parameters: URLSearchParams): [string, string][] =>
  [...parameters].map(([name, value]) => {
    const isDeclared = names.includes(name) || (name.startsWith('var.') && names.includes('var.*'))
    if (!isDeclared && value === '') return [hidden, '']
    return [name, isDeclared && !isSecretAnswer(name) ? withoutTokens(value) : hidden]
  })
