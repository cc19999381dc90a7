import type {Claim} from '../store.js'
import {isSealed, sealed} from './checksum.js'
import type {Entry} from './entry.js'
import {claimOf, claimText} from './line.js'

/** What a line of a run says beside the document. */
export interface RunHead {
  readonly id: string
  readonly version: number
  readonly claims: readonly Claim[]
  readonly facets: readonly (string | null)[]
}

const bodyMark = Buffer.from(',"doc":')
const suffixBytes = ',"x":"00000000"}'.length

/** A line of a run, without its line feed, and what it says. */
export interface RunLine extends RunHead {
  readonly line: string | Buffer
}

/** `{"id":…,"v":version,"c":claims,"f":facets,"doc":document or null,"x":checksum}`. */
export function runLine(entry: Entry, facets: readonly (string | null)[]): RunLine {
  const {id, version, claims} = entry
  const head = JSON.stringify({id, v: version, c: claims.map(claimText), f: facets})
  const line = sealed(`${head.slice(0, -1)},"doc":${entry.json() ?? 'null'}}`)
  return {id, version, claims, facets, line}
}

/** Nothing for a line that is not whole. The body lies within the line and is not parsed. */
export function parsedRunLine(line: Buffer): {head: RunHead; body: Buffer | undefined} | undefined {
  if (!isSealed(line)) return undefined
  // No text within the head can look like the mark, as a quote in it would be escaped.
  const mark = line.indexOf(bodyMark)
  const {id, v, c, f} = JSON.parse(`${line.subarray(0, mark).toString()}}`) as {
    id: string
    v: number
    c: readonly string[]
    f: readonly (string | null)[]
  }
  const body = v === 0 ? undefined : line.subarray(mark + bodyMark.length, line.length - suffixBytes)
  return {head: {id, version: v, claims: c.map(claimOf), facets: f}, body}
}
