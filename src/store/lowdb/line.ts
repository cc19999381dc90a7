import type {Claim, Document} from '../store.js'
import {isSealed, sealed} from './checksum.js'

/** What a commit does to one document. */
export interface Operation {
  readonly kind: string
  readonly id: string
  readonly claims: readonly Claim[]
  /** The document as JSON; absent removes it. */
  readonly json?: string
}

/** One line of the journal, which is one commit. */
export interface Line {
  readonly sequence: number
  /** The highest sequence that was known to be on the disk when this line was written. */
  readonly durable: number
  readonly operations: readonly Operation[]
}

// A claim is one string in a file, its mode the first character.
export const claimText = (claim: Claim): string => (claim.shared ? '~' : '=') + claim.key

export const claimOf = (text: string): Claim =>
  text.startsWith('~') ? {key: text.slice(1), shared: true} : {key: text.slice(1)}

export function lineOf({sequence, durable, operations}: Line): string {
  const list = operations.map(({kind, id, claims, json}) => {
    const head = JSON.stringify([kind, id, claims.map(claimText)])
    return `${head.slice(0, -1)},${json ?? 'null'}]`
  })
  return `${sealed(`{"s":${sequence},"d":${durable},"o":[${list.join(',')}]}`)}\n`
}

type Stored = readonly [kind: string, id: string, claims: readonly string[], doc: Document | null]

export interface ParsedLine {
  readonly sequence: number
  readonly durable: number
  readonly operations: readonly {
    readonly kind: string
    readonly id: string
    readonly claims: readonly Claim[]
    readonly doc: Document | null
  }[]
}

/** A line without its line feed; nothing if it is not whole. */
export function parsedLine(bytes: Buffer): ParsedLine | undefined {
  if (!isSealed(bytes)) return undefined
  const {s, d, o} = JSON.parse(bytes.toString()) as {s: number; d: number; o: readonly Stored[]}
  return {
    sequence: s,
    durable: d,
    operations: o.map(([kind, id, claims, doc]) => ({kind, id, claims: claims.map(claimOf), doc})),
  }
}
