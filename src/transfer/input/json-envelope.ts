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

/** The paths of the first lists of objects of a document, as far as its text goes; lists within lists are none. */
export function listsBegun(text: string): readonly string[] {
  const lists: string[] = []
  let [depth, inList, inText] = [0, 0, false]
  for (let at = 0; at < text.length && lists.length < mostNamed; at += 1) {
    const character = text[at]
    if (character === '\\') at += 1
    else if (character === '"') inText = !inText
    else if (inText) continue
    else if (character === '[') {
      inList += 1
      if (inList === 1 && /^\s*\{/.test(text.slice(at + 1, at + 1000)))
        lists.push(...[listBegun(text.slice(0, at), depth)?.path ?? []].flat())
    } else if (character === ']') inList -= 1
    else if (inList > 0) continue
    else if (character === '{') depth += 1
    else if (character === '}') depth -= 1
  }
  return lists
}

/** What to do where a list has the rows. */
export const nameList = (lists: readonly string[]): string | undefined =>
  lists.length === 0 ? undefined : `If a list has the rows, name it by "rows" in a map file: ${lists.join(', ')}.`

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
