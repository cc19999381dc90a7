import {createHash} from 'node:crypto'
import {compareText} from '../../query/text-order.js'
import type {Kept} from '../opened-store.js'

/** How many documents were seen, and a digest of them all that does not depend on their order. */
export interface Sum {
  readonly documents: number
  /** Hexadecimal. */
  readonly checksum: string
}

/** Names with their JSON, in one order, by the names as they came: documents have few forms. */
const orders = new Map<string, readonly (readonly [name: string, json: string])[]>()
const mostOrders = 1_000

function inOrder(names: readonly string[]): readonly (readonly [name: string, json: string])[] {
  const form = names.join('\0')
  const known = orders.get(form)
  // Names that hold the character between names are fewer than their form has parts, and are not kept.
  if (known?.length === names.length) return known
  const order = [...names].sort(compareText).map((name) => [name, `${JSON.stringify(name)}:`] as const)
  if (orders.size < mostOrders && !names.some((name) => name.includes('\0'))) orders.set(form, order)
  return order
}

/** JSON with the members of every object in one order, since not every store keeps the one they came in. */
export function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  let text = ''
  for (const [name, json] of inOrder(Object.keys(value))) {
    const member: unknown = (value as Record<string, unknown>)[name]
    if (member !== undefined) text += `${text === '' ? '' : ','}${json}${canonical(member)}`
  }
  return `{${text}}`
}

const uniqueKeyNames = ({uniqueKeys}: Kept): string[] =>
  uniqueKeys.map(({key, shared}) => (shared ? `shared ${key}` : `exclusive ${key}`)).sort(compareText)

/** Adds up the digests of documents and their unique keys. */
export class Summing {
  #documents = 0
  #sum = 0n

  add(kept: Kept): void {
    const text = canonical([kept.kind, kept.doc, uniqueKeyNames(kept)])
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${createHash('sha256').update(text).digest('hex')}`))
    this.#documents += 1
  }

  get documents(): number {
    return this.#documents
  }

  get sum(): Sum {
    return {documents: this.#documents, checksum: this.#sum.toString(16).padStart(64, '0')}
  }
}
