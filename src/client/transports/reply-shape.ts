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
