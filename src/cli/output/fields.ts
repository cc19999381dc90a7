/** Dotted paths into documents: `addresses.0.city`, `custom.fields.points`. */

type Json = unknown

const isObject = (value: Json): value is Record<string, Json> => typeof value === 'object' && value !== null

/** The value of a JSON text; undefined for any other text. */
export function jsonIn(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** The value at a path; own members only, so that `constructor` is absent unless the document has it. */
export const valueAt = (document: Json, path: string): Json =>
  path
    .split('.')
    .reduce((value, step) => (isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined), document)

/** The text at a path; empty for any other value. */
export function textAt(document: Json, path: string): string {
  const value = valueAt(document, path)
  return typeof value === 'string' ? value : ''
}

/** The list at a path; empty for any other value. */
export function listAt(document: Json, path: string): readonly Json[] {
  const value = valueAt(document, path)
  return Array.isArray(value) ? (value as Json[]) : []
}

/** All leaves of a document by path, in document order. Empty objects and arrays count as leaves. */
export function flatten(document: Json, prefix = ''): Map<string, Json> {
  const leaves = new Map<string, Json>()
  if (!isObject(document) || Object.keys(document).length === 0) {
    if (prefix !== '') leaves.set(prefix, document)
    return leaves
  }
  for (const [name, value] of Object.entries(document)) {
    const path = prefix === '' ? name : `${prefix}.${name}`
    for (const [inner, leaf] of flatten(value, path)) leaves.set(inner, leaf)
  }
  return leaves
}

/** Text of a value in a cell: scalars as they are, references by type and key or id, the rest as JSON. */
export function cellText(value: Json): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (!isObject(value)) return String(value)
  if (Array.isArray(value)) {
    return value.every((entry) => !isObject(entry) || isReference(entry))
      ? value.map(cellText).join(', ')
      : JSON.stringify(value)
  }
  if (isReference(value)) return String(value['key'] ?? value['id'])
  return JSON.stringify(value)
}

export const cellAt = (document: Json, path: string): string => cellText(valueAt(document, path))

const isReference = (value: Json): value is Record<string, Json> =>
  isObject(value) &&
  typeof value['typeId'] === 'string' &&
  (typeof value['id'] === 'string' || typeof value['key'] === 'string')

/** The document reduced to some paths, nested as before. Arrays become objects by index only where a path names one. */
export function project(document: Json, paths: readonly string[]): Record<string, Json> {
  const projected: Record<string, Json> = {}
  for (const path of paths) {
    const value = valueAt(document, path)
    if (value !== undefined) setAt(projected, path.split('.'), value)
  }
  return projected
}

function setAt(into: Record<string, Json>, [step, ...rest]: readonly string[], value: Json): void {
  if (step === undefined) return
  if (rest.length === 0) {
    define(into, step, value)
    return
  }
  const inner = Object.hasOwn(into, step) ? into[step] : undefined
  const next: Record<string, Json> = isObject(inner) && !Array.isArray(inner) ? inner : {}
  define(into, step, next)
  setAt(next, rest, value)
}

/** Sets a member even if it is called `__proto__`. */
const define = (into: object, name: string, value: Json): void => {
  Object.defineProperty(into, name, {value, enumerable: true, configurable: true, writable: true})
}
