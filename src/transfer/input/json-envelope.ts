import {fieldRows} from '../../domain/customers/fields.js'
import {isObject} from '../../domain/equal.js'

const mostNamed = 5

/** The list in a JSON document that begins where a text ends. */
export interface ListBegun {
  /** Its members from the document inwards, such as `data.items`. */
  readonly path: string
  /** It may be the rows: nothing before it says that the document is a customer itself. */
  readonly isEnveloped: boolean
}

const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9@]/g, '')

/** What a customer has, by whatever name: a document with such a member is no envelope of customers. */
const ofCustomer: ReadonlySet<string> = new Set([
  ...fieldRows.flatMap(({name, aliases = []}) => [folded(name), ...aliases]),
  ...['addresses', 'stores', 'custom', 'customergroup', 'customergroupassignments', 'password', 'passwordhash'],
  ...['shippingaddresses', 'shippingaddressids', 'billingaddresses', 'billingaddressids', 'lastmodifiedat'],
])

export const isOfCustomer = (name: string): boolean => ofCustomer.has(folded(name))

/** Reads the text of a document up to a `[`, with so many objects open; nothing if a list cannot begin there. */
export function listBegun(text: string, depth: number): ListBegun | undefined {
  let document: unknown
  try {
    document = JSON.parse(`${text}[]${'}'.repeat(depth)}`)
  } catch {
    return undefined
  }
  const path: string[] = []
  let isEnveloped = true
  for (let inner = document; isObject(inner); ) {
    const names = Object.keys(inner)
    const last = names.at(-1) ?? ''
    path.push(last)
    isEnveloped &&= !names.some(isOfCustomer)
    inner = inner[last]
  }
  return {path: path.join('.'), isEnveloped}
}

/** The first lists of objects of a document, as far as its text goes; lists within lists are none. */
export function listsBegun(text: string): readonly ListBegun[] {
  const lists: ListBegun[] = []
  let [depth, inList, inText] = [0, 0, false]
  for (let at = 0; at < text.length && lists.length < mostNamed; at += 1) {
    const character = text[at]
    if (character === '\\') at += 1
    else if (character === '"') inText = !inText
    else if (inText) continue
    else if (character === '[') {
      inList += 1
      const list = inList === 1 && depth > 0 && /^\s*\{/.test(text.slice(at + 1, at + 1000))
      if (list) lists.push(...[listBegun(text.slice(0, at), depth) ?? []].flat())
    } else if (character === ']') inList -= 1
    else if (inList > 0) continue
    else if (character === '{') depth += 1
    else if (character === '}') depth -= 1
  }
  return lists
}

/** Lists of objects by their paths, for people. */
export const pathsOf = (lists: readonly ListBegun[]): string => lists.map(({path}) => path).join(', ')

export const nameList = (lists: readonly ListBegun[]): string | undefined =>
  lists.length === 0 ? undefined : `If a list has the rows, name it by "rows" in a map file: ${pathsOf(lists)}.`

/** The lists of names and values of a document: their paths, and the member with the name. */
export function namesIn(document: object, at = ''): [string, string][] {
  return Object.entries(document).flatMap(([member, value]): [string, string][] => {
    const path = at + member
    if (isObject(value)) return namesIn(value, `${path}.`)
    const by = Array.isArray(value) && value.length > 0 ? nameMember(value[0]) : undefined
    return by !== undefined && (value as unknown[]).every((one) => nameMember(one) === by) ? [[path, by]] : []
  })
}

function nameMember(element: unknown): string | undefined {
  const [one = '', other = '', ...more] = isObject(element) ? Object.keys(element) : []
  const by = /^value$/i.test(other) ? one : /^value$/i.test(one) ? other : ''
  return more.length === 0 && /^(?:name|key|code|attribute_?code)$/i.test(by) ? by : undefined
}

/** A member after the rows, from their `]` on, that says that the document is no envelope, if there is one. */
export function strayMember(text: string): string | undefined {
  let members: unknown
  try {
    members = JSON.parse(text.replace(/^\]\s*,?/, '{'))
  } catch {
    return undefined
  }
  return Object.entries(isObject(members) ? members : {}).find(
    ([name, value]) => isOfCustomer(name) || (Array.isArray(value) && value.some(isObject)),
  )?.[0]
}

/** `"name": {…}` as `{"@name": "name", …}`; of any other member the value. */
export const memberAsRow = (text: string): string =>
  text
    .replace(/^("(?:[^"\\]|\\.)*")\s*:\s*\{\s*(\}?)/, (_, name: string, end: string) => `{"@name":${name}${end || ','}`)
    .replace(/^"(?:[^"\\]|\\.)*"\s*:/, '')
