/** Whether a JSON value is an object, and neither null nor an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An own member of an object; undefined for anything else. */
export const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The words of a name in camel case, in lower case. */
export const spelt = (name: string, between: '-' | ' '): string =>
  name.replace(/[A-Z]/g, (letter) => between + letter.toLowerCase())

/** Whether two JSON values are equal, ignoring the order of members; undefined members count as absent. */
export function equal(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => equal(item, b[at]))
  }
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  for (const name of names) {
    const ownLeft = Object.hasOwn(left, name) ? left[name] : undefined
    const ownRight = Object.hasOwn(right, name) ? right[name] : undefined
    if (!equal(ownLeft, ownRight)) return false
  }
  return true
}

/** The object with the member set, or removed for undefined; the same object if that changes nothing. */
export function withMember<T extends object, K extends keyof T>(object: T, name: K, value: T[K] | undefined): T {
  if (equal(object[name], value)) return object
  if (value !== undefined) return {...object, [name]: value}
  const {[name]: _, ...rest} = object
  return rest as T
}

/** A shallow copy without undefined members, for optional members under `exactOptionalPropertyTypes`. */
export function defined<T extends object>(object: T): {[K in keyof T]: Exclude<T[K], undefined>} {
  const copy: Record<string, unknown> = {}
  // Hot path: no arrays in between.
  for (const name of Object.keys(object)) {
    const value = (object as Record<string, unknown>)[name]
    if (value === undefined) continue
    if (name === '__proto__') Object.defineProperty(copy, name, {value, ...plainMember})
    else copy[name] = value
  }
  return copy as never
}

/** The values of each key, in order. */
export function grouped<K, V>(pairs: Iterable<readonly [K, V]>): Map<K, V[]> {
  const groups = new Map<K, V[]>()
  for (const [key, value] of pairs) {
    const known = groups.get(key)
    if (known) known.push(value)
    else groups.set(key, [value])
  }
  return groups
}

export const pick = <T extends object, K extends keyof T>(object: T, names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, object[name]])) as Pick<T, K>

export const omit = <T extends object, K extends keyof T>(object: T, names: readonly K[]): Omit<T, K> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name as K))) as Omit<T, K>

const plainMember = {configurable: true, enumerable: true, writable: true}
