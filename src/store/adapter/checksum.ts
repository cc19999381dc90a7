import {createHash} from 'node:crypto'
import {compareText} from '../../query/text-order.js'
import type {StoredDocument} from '../opened-store.js'

/** How many documents were seen, and a digest of them all that does not depend on their order. */
export interface Sum {
  readonly documents: number
  readonly checksum: string
}

/** JSON with the members of every object in one order, since not every store keeps the one they came in. */
export function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const sorted = members.sort(([a], [b]) => compareText(a, b))
  return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}

const uniqueKeyNames = ({uniqueKeys}: StoredDocument): string[] =>
  uniqueKeys.map(({key, shared}) => (shared ? `shared ${key}` : `exclusive ${key}`)).sort(compareText)

export class Summing {
  documents = 0
  #sum = 0n

  add(kept: StoredDocument): void {
    const text = canonical([kept.kind, kept.doc, uniqueKeyNames(kept)])
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${createHash('sha256').update(text).digest('hex')}`))
    this.documents += 1
  }

  get sum(): Sum {
    return {documents: this.documents, checksum: this.#sum.toString(16).padStart(64, '0')}
  }
}
