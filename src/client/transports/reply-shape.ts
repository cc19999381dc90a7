import {isObject} from '../../domain/equal.js'
import type {SchemaParts} from '../../domain/shape-of.js'

type Entries = NonNullable<SchemaParts['entries']>

const anything: SchemaParts = {type: 'unknown'}

/** What names a document, those of a page, who signed up, and a token: whoever has an answer relies on them unseen. */
const reliedOn: readonly string[] = ['id', 'version', 'results', 'customer', 'access_token']

/** The types that a member may have, by what its schema is; of other schemas any. */
const typesOf: Readonly<Record<string, string>> = {
  string: 'string',
  picklist: 'string',
  number: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'document',
}

interface Member {
  readonly name: string
  readonly type: string
  readonly declared: SchemaParts
  readonly isReliedOn: boolean
  readonly isOptional: boolean
}

/**
 * Whether an answer has what callers rely on in the form that its schema declares, and nothing in another form. The rest of
 * the schema is what our own server answers; another may say more or less, or `null` of what is absent.
 */
export function hasShape(body: unknown, {entries}: SchemaParts): boolean {
  if (!entries) return true
  if (!isObject(body)) return false
  for (const member of membersOf(entries)) if (!isShaped(body[member.name], member)) return false
  return true
}

function isShaped(value: unknown, {type, declared, isReliedOn, isOptional}: Member): boolean {
  if (isOptional && value === undefined) return true
  if (!isReliedOn) return value === undefined || value === null || (typeOf(value) === type && hasItems(value, declared))
  if (type === 'document') return hasShape(value, declared)
  if (type !== 'list') return typeOf(value) === type
  if (!Array.isArray(value)) return false
  for (const item of value) if (!hasShape(item, declared.item ?? anything)) return false
  return true
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'list' : isObject(value) ? 'document' : typeof value)

/** Whether the entries of a list have the type that they are declared with. */
function hasItems(value: unknown, {item}: SchemaParts): boolean {
  const type = item && typesOf[item.type]
  return !Array.isArray(value) || type === undefined || value.every((entry) => typeOf(entry) === type)
}

/**
 * An answer with the lists that its schema always has, which another server leaves out where they are empty, and without
 * members that are null: whoever reads them need not ask.
 */
export function withLists(body: unknown, {entries}: SchemaParts): unknown {
  if (!entries || !isObject(body)) return body
  let whole: Record<string, unknown> | undefined
  for (const member of membersOf(entries)) {
    const value = body[member.name]
    const next = listed(value ?? undefined, member)
    if (next === value) continue
    whole ??= {...body}
    if (next === undefined) delete whole[member.name]
    else whole[member.name] = next
  }
  return whole ?? body
}

/** The members of a schema whose type is known, once for all answers: a page has 500 documents. */
function membersOf(entries: Entries): readonly Member[] {
  const known = members.get(entries)
  if (known) return known
  const made = Object.entries(entries).flatMap(([name, given]) => {
    const declared = given.wrapped ?? given
    const type = typesOf[declared.type]
    const isReliedOn = reliedOn.includes(name)
    return type === undefined ? [] : [{name, type, declared, isReliedOn, isOptional: given.wrapped !== undefined}]
  })
  members.set(entries, made)
  return made
}

const members = new WeakMap<object, readonly Member[]>()

function listed(value: unknown, {type, declared, isReliedOn, isOptional}: Member): unknown {
  if (type === 'list' && value === undefined && !isOptional) return []
  if (!isReliedOn) return value
  if (Array.isArray(value)) return itemsWithLists(value, declared.item ?? anything)
  return type === 'document' ? withLists(value, declared) : value
}

/** The same list if none of its items lacks anything. */
function itemsWithLists(items: readonly unknown[], declared: SchemaParts): readonly unknown[] {
  let whole: unknown[] | undefined
  for (let at = 0; at < items.length; at += 1) {
    const next = withLists(items[at], declared)
    if (next === items[at]) continue
    whole ??= [...items]
    whole[at] = next
  }
  return whole ?? items
}
