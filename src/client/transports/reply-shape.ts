import {isObject} from '../../domain/equal.js'

/** The parts of a schema that are looked at. */
interface Declared {
  readonly type?: unknown
  readonly entries?: Readonly<Record<string, Declared>>
  readonly item?: Declared
}

/** What names a document, those of a page, who signed up, and a token: whoever has an answer relies on them unseen. */
const reliedOn: readonly string[] = ['id', 'version', 'results', 'customer', 'access_token']

/**
 * Whether an answer has, in the form its schema declares, what callers rely on. The rest of the schema is what our own
 * server answers; another may say more or less.
 */
export function hasShape(body: unknown, schema: object): boolean {
  const {entries} = schema as Declared
  if (!entries) return true
  if (!isObject(body)) return false
  return reliedOn.every((name) => {
    const declared = entries[name] ?? {}
    const {type, item} = declared
    const value = body[name]
    if (type === 'object') return hasShape(value, declared)
    if (type === 'array') return Array.isArray(value) && value.every((entry) => hasShape(entry, item ?? {}))
    return (type !== 'string' && type !== 'number') || typeof value === type
  })
}

/**
 * An answer with the lists that its schema always has: another server leaves out those that are empty, and whoever reads
 * them need not ask.
 */
export function withLists(body: unknown, schema: object): unknown {
  const {entries} = schema as Declared
  if (!entries || !isObject(body)) return body
  let whole = body
  for (const [name, declared] of listMembersOf(entries)) {
    const value = body[name]
    const next = listed(value, declared, reliedOn.includes(name))
    if (next !== value) whole = {...whole, [name]: next}
  }
  return whole
}

/** The members of a schema that are lists or hold some: of the sixty of a customer, six. A page has 500 of them. */
function listMembersOf(entries: Required<Declared>['entries']): readonly (readonly [string, Declared])[] {
  const known = listMembers.get(entries)
  if (known) return known
  const members = Object.entries(entries).filter(
    ([name, {type}]) => type === 'array' || (type === 'object' && reliedOn.includes(name)),
  )
  listMembers.set(entries, members)
  return members
}

const listMembers = new WeakMap<object, readonly (readonly [string, Declared])[]>()

function listed(value: unknown, {type, item = {}, entries}: Declared, isReliedOn: boolean): unknown {
  if (type === 'array' && value === undefined) return []
  if (!isReliedOn) return value
  if (type === 'array' && Array.isArray(value)) return value.map((entry) => withLists(entry, item))
  return type === 'object' ? withLists(value, {entries}) : value
}
