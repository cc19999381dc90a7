import type {Claim} from '../store.js'
import {isSealed, sealed} from './checksum.js'

/** What a commit does to one document. */
export interface Operation {
  readonly kind: string
  readonly id: string
  /** The version before; 0 for a new document. */
  readonly expect: number
  /** The version after; 0 removes the document. */
  readonly version: number
  readonly claims: readonly Claim[]
  readonly facets: readonly (string | null)[]
  /** The document as JSON; absent for a removal. */
  readonly body?: string | Buffer
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

/**
 * `{"s":sequence,"d":durable,"o":[[kind,id,expect,version,claims,facets,bytes],…],"b":[document,…],"x":checksum}`.
 * The heads tell how long each body is, so that a body need not be parsed to find the next one.
 */
export function lineOf({sequence, durable, operations}: Line): string {
  const heads: unknown[] = []
  const bodies: string[] = []
  for (const {kind, id, expect, version, claims, facets, body} of operations) {
    const text = body?.toString()
    if (text !== undefined) bodies.push(text)
    const bytes = text === undefined ? 0 : Buffer.byteLength(text)
    heads.push([kind, id, expect, version, claims.map(claimText), facets, bytes])
  }
  const json = `{"s":${sequence},"d":${durable},"o":${JSON.stringify(heads)},"b":[${bodies.join(',')}]}`
  return `${sealed(json)}\n`
}

const bodyMark = Buffer.from(',"b":[')

type Head = readonly [
  kind: string,
  id: string,
  expect: number,
  version: number,
  claims: readonly string[],
  facets: readonly (string | null)[],
  bytes: number,
]

/** A line without its line feed; nothing if it is not whole. */
export function parsedLine(line: Buffer): Line | undefined {
  if (!isSealed(line)) return undefined
  // No text within the heads can look like the mark, as a quote in it would be escaped.
  const mark = line.indexOf(bodyMark)
  const {s, d, o} = JSON.parse(`${line.subarray(0, mark).toString()}}`) as {s: number; d: number; o: readonly Head[]}
  let at = mark + bodyMark.length
  const operations = o.map(([kind, id, expect, version, claims, facets, bytes]): Operation => {
    const head = {kind, id, expect, version, claims: claims.map(claimOf), facets}
    if (bytes === 0) return head
    const body = line.subarray(at, at + bytes)
    at += bytes + 1
    return {...head, body}
  })
  return {sequence: s, durable: d, operations}
}
