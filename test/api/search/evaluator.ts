/**
 * Customer Search as its description says it, over one customer at a time, written beside the implementation and without
 * any part of it: the judge of the differential test.
 */

// biome-ignore lint/suspicious/noExplicitAny: it looks into customers and expressions of every shape
type Any = any

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/ß/g, 'ss')

/** As somebody without the key on their keyboard writes it. */
const spelled = (text: string): string =>
  text.normalize('NFC').toLowerCase().replace(/ä/g, 'ae').replace(/ö/g, 'oe').replace(/ü/g, 'ue')

const partsOf = (token: string): string[] => token.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
const spellings = (text: string): string[] => [...new Set([fold(text), fold(spelled(text))])]

function wordsOf(value: string): Set<string> {
  const tokens = value.split(/\s+/).filter(Boolean)
  return new Set(tokens.flatMap((token) => [...partsOf(token), partsOf(token).join('')].flatMap(spellings)))
}

const asked = (value: string): string[][] => value.split(/\s+/).flatMap(partsOf).map(spellings)

function at(node: Any, path: string[]): Any[] {
  if (Array.isArray(node)) return node.flatMap((one) => at(one, path))
  if (node === undefined || node === null) return []
  return path.length === 0 ? [node] : at(node[path[0] as string], path.slice(1))
}

const all = [
  ...['key', 'customerNumber', 'externalId', 'email', 'salutation', 'title', 'firstName', 'middleName', 'lastName'],
  ...['companyName', 'vatId'],
  ...['firstName', 'lastName', 'streetName', 'postalCode', 'city', 'company', 'email'].map(
    (name) => `addresses.${name}`,
  ),
]

function valuesOf(customer: Any, field: string): Any[] {
  if (field === 'all') return all.flatMap((name) => at(customer, name.split('.')))
  if (field !== 'fullName') return at(customer, field.split('.'))
  const name = [customer.firstName, customer.middleName, customer.lastName].filter(Boolean).join(' ')
  return name === '' ? [] : [name]
}

function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const rest = [distanceOf(a.slice(1), b), distanceOf(a, b.slice(1)), distanceOf(a.slice(1), b.slice(1))] as const
  return Math.min(rest[0] + 1, rest[1] + 1, rest[2] + Number(a[0] !== b[0]))
}
const known = new Map<string, number>()
function distanceOf(a: string, b: string): number {
  const key = `${a} ${b}`
  const found = known.get(key) ?? distance(a, b)
  known.set(key, found)
  return found
}

const editsOf = (word: string, level: number): number => Math.min(level, word.length < 3 ? 0 : word.length < 6 ? 1 : 2)

type Likeness = (word: string, found: string) => boolean

function hasWords(customer: Any, {field, value, mustMatch = 'all'}: Any, isLike: Likeness): boolean {
  const words = new Set(valuesOf(customer, field).flatMap((one) => [...wordsOf(String(one))]))
  const hits = asked(value).map((forms) => forms.some((form) => [...words].some((word) => isLike(form, word))))
  if (hits.length === 0) return false
  return mustMatch === 'any' ? hits.some(Boolean) : hits.every(Boolean)
}

const cased = (value: Any, {caseInsensitive}: Any): Any =>
  caseInsensitive && typeof value === 'string' ? value.toLowerCase() : value

const texts = (customer: Any, asking: Any): string[] =>
  valuesOf(customer, asking.field).flatMap((one) => (typeof one === 'string' ? [cased(one, asking)] : []))

const escaped = (text: string): string => text.replace(/[.+^${}()|[\]\\]/g, '\\$&')

const moment = (value: Any): Any => (/T\d\d:/.test(String(value)) ? Date.parse(value) : value)

const simple: Record<string, (customer: Any, asking: Any) => boolean> = {
  exact: (customer, asking) => {
    const wanted = (asking.values ?? [asking.value]).map((one: Any) => cased(one, asking))
    return valuesOf(customer, asking.field).some((one) => wanted.includes(cased(one, asking)))
  },
  prefix: (customer, asking) => texts(customer, asking).some((one) => one.startsWith(cased(asking.value, asking))),
  wildcard: (customer, asking) => {
    const pattern = escaped(cased(asking.value, asking)).replace(/\*/g, '[^]*').replace(/\?/g, '[^]')
    return texts(customer, asking).some((one) => new RegExp(`^${pattern}$`, 'u').test(one))
  },
  fullText: (customer, asking) => hasWords(customer, asking, (word, found) => word === found),
  fullTextPrefix: (customer, asking) => hasWords(customer, asking, (word, found) => found.startsWith(word)),
  fuzzy: (customer, asking) =>
    hasWords(customer, asking, (word, found) => distanceOf(word, found) <= editsOf(word, asking.level)),
  range: (customer, {field, gte, gt, lte, lt}) =>
    valuesOf(customer, field).some((one) => {
      const own = moment(one)
      return (
        (gte === undefined || own >= moment(gte)) &&
        (gt === undefined || own > moment(gt)) &&
        (lte === undefined || own <= moment(lte)) &&
        (lt === undefined || own < moment(lt))
      )
    }),
  exists: (customer, {field}) => valuesOf(customer, field).length > 0,
}

/** Whether a customer matches an expression. */
export function matches(customer: Any, expression: Any): boolean {
  const [[name, content] = ['', undefined]] = Object.entries<Any>(expression)
  if (name === 'and' || name === 'filter') return content.every((one: Any) => matches(customer, one))
  if (name === 'or') return content.some((one: Any) => matches(customer, one))
  if (name === 'not') return !content.some((one: Any) => matches(customer, one))
  return simple[name]?.(customer, content) ?? false
}
