import {fieldRows} from '../../domain/customers/fields.js'
import {isObject} from '../../domain/equal.js'

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
